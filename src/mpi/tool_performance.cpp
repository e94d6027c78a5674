// Performance variables (MPI §15.3.7). All are continuous and read only: they cannot be started,
// stopped, reset or written.
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "mpi/file.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/tool.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

struct handle {
  const performance_variable* variable;
  MPI_File file;  // what it is bound to, if to anything
};
struct tool_session {
  std::set<std::unique_ptr<handle>> handles;
};

// A lock, as tools may call from any thread, and no call is on a fast path.
std::mutex sessions_lock;
std::set<tool_session*> sessions;

tool_session* behind(MPI_T_pvar_session s) {
  auto* session = reinterpret_cast<tool_session*>(s);
  return sessions.count(session) != 0 ? session : nullptr;
}

handle* behind(tool_session& session, MPI_T_pvar_handle h) {
  for (const auto& known : session.handles) {
    if (reinterpret_cast<handle*>(h) == known.get()) return known.get();
  }
  return nullptr;
}

const performance_variable* performance_at(int index) {
  const auto all = performance_variables();
  return index >= 0 && static_cast<std::size_t>(index) < all.size() ? &all[static_cast<std::size_t>(index)]
                                                                    : nullptr;
}

// For functions that no variable allows: checks the arguments, then returns `error`.
int refuse(MPI_T_pvar_session s, MPI_T_pvar_handle h, int error) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const std::lock_guard guard(sessions_lock);
  tool_session* session = behind(s);
  if (session == nullptr) return MPI_T_ERR_INVALID_SESSION;
  if (h == MPI_T_PVAR_ALL_HANDLES) return MPI_SUCCESS;  // for all handles that allow it, which are none
  return behind(*session, h) == nullptr ? MPI_T_ERR_INVALID_HANDLE : error;
}

}  // namespace

int impl::T_pvar_get_num(call&, int* n) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *n = static_cast<int>(performance_variables().size());
  return MPI_SUCCESS;
}

int impl::T_pvar_get_info(call&, int index, char* name, int* name_len, int* verbosity, int* var_class,
                          MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind,
                          int* readonly, int* continuous, int* atomic) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const performance_variable* v = performance_at(index);
  if (v == nullptr) return MPI_T_ERR_INVALID_INDEX;
  give_tool_text(v->name, name, name_len);
  give_tool_text(v->description, desc, desc_len);
  if (verbosity != nullptr) *verbosity = MPI_T_VERBOSITY_USER_BASIC;
  if (var_class != nullptr) *var_class = v->variable_class;
  const bool share = v->variable_class == MPI_T_PVAR_CLASS_PERCENTAGE;  // of 0 to 1, by the standard
  if (datatype != nullptr) *datatype = share ? MPI_DOUBLE : MPI_UNSIGNED_LONG_LONG;
  if (enumtype != nullptr) *enumtype = MPI_T_ENUM_NULL;
  if (bind != nullptr) *bind = v->binding();
  if (readonly != nullptr) *readonly = 1;
  if (continuous != nullptr) *continuous = 1;
  if (atomic != nullptr) *atomic = 0;
  return MPI_SUCCESS;
}

int impl::T_pvar_get_index(call&, const char* name, int var_class, int* index) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const auto all = performance_variables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::strcmp(all[i].name, name) == 0 && all[i].variable_class == var_class) {
      *index = static_cast<int>(i);
      return MPI_SUCCESS;
    }
  }
  return MPI_T_ERR_INVALID_NAME;
}

int impl::T_pvar_session_create(call&, MPI_T_pvar_session* session) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const std::lock_guard guard(sessions_lock);
  auto* made = new tool_session;
  sessions.insert(made);
  *session = reinterpret_cast<MPI_T_pvar_session>(made);
  return MPI_SUCCESS;
}

int impl::T_pvar_session_free(call&, MPI_T_pvar_session* session) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const std::lock_guard guard(sessions_lock);
  tool_session* found = behind(*session);
  if (found == nullptr) return MPI_T_ERR_INVALID_SESSION;
  sessions.erase(found);
  delete found;
  *session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}

int impl::T_pvar_handle_alloc(call& c, MPI_T_pvar_session s, int index, void* object, MPI_T_pvar_handle* out,
                              int* count) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const std::lock_guard guard(sessions_lock);
  tool_session* session = behind(s);
  if (session == nullptr) return MPI_T_ERR_INVALID_SESSION;
  const performance_variable* v = performance_at(index);
  if (v == nullptr) return MPI_T_ERR_INVALID_INDEX;
  MPI_File file = MPI_FILE_NULL;
  if (v->binding() == MPI_T_BIND_MPI_FILE) {
    if (object == nullptr) return MPI_T_ERR_INVALID_HANDLE;
    file = *static_cast<const MPI_File*>(object);
    if (c.handles().files.find(file) == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  }
  auto made = std::make_unique<handle>(handle{v, file});
  *out = reinterpret_cast<MPI_T_pvar_handle>(made.get());
  *count = 1;
  session->handles.insert(std::move(made));
  return MPI_SUCCESS;
}

int impl::T_pvar_handle_free(call&, MPI_T_pvar_session s, MPI_T_pvar_handle* h) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const std::lock_guard guard(sessions_lock);
  tool_session* session = behind(s);
  if (session == nullptr) return MPI_T_ERR_INVALID_SESSION;
  handle* found = behind(*session, *h);
  if (found == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  std::erase_if(session->handles, [found](const auto& known) { return known.get() == found; });
  *h = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int impl::T_pvar_start(call&, MPI_T_pvar_session s, MPI_T_pvar_handle h) {
  return refuse(s, h, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

int impl::T_pvar_stop(call&, MPI_T_pvar_session s, MPI_T_pvar_handle h) {
  return refuse(s, h, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

int impl::T_pvar_reset(call&, MPI_T_pvar_session s, MPI_T_pvar_handle h) {
  return refuse(s, h, MPI_T_ERR_PVAR_NO_WRITE);
}

int impl::T_pvar_write(call&, MPI_T_pvar_session s, MPI_T_pvar_handle h, const void*) {
  return refuse(s, h, MPI_T_ERR_PVAR_NO_WRITE);
}

int impl::T_pvar_readreset(call&, MPI_T_pvar_session s, MPI_T_pvar_handle h, void*) {
  return refuse(s, h, MPI_T_ERR_PVAR_NO_ATOMIC);
}

// Before MPI is initialised everything is 0. A file must not be closed meanwhile, by the standard.
int impl::T_pvar_read(call& c, MPI_T_pvar_session s, MPI_T_pvar_handle h, void* buf) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  if (in_event_callback()) return MPI_T_ERR_NOT_ACCESSIBLE;  // because locks of the library are held
  const std::lock_guard guard(sessions_lock);
  tool_session* session = behind(s);
  if (session == nullptr) return MPI_T_ERR_INVALID_SESSION;
  handle* found = behind(*session, h);
  if (found == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  unsigned long long value = 0;
  if (c.process().running()) {
    const std::lock_guard inside(c.process().gate());
    const performance_variable& v = *found->variable;
    if (v.read != nullptr) {
      value = v.read(c.process());
    } else {
      file* f = c.handles().files.find(found->file);
      if (f == nullptr) return MPI_T_ERR_INVALID_HANDLE;  // it is closed
      value = v.read_file(*f);
    }
  }
  std::memcpy(buf, &value, sizeof value);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
