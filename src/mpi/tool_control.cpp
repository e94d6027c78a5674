// Control variables (MPI §15.3.6): texts, settable until MPI is initialised.
#include <cstdlib>
#include <cstring>

#include "mpi/generated/impl.hpp"
#include "mpi/tool.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

constexpr int value_capacity = 64;  // characters of a value, with the zero

const control_variable* control_at(int index) {
  const auto all = control_variables();
  return index >= 0 && static_cast<std::size_t>(index) < all.size() ? &all[static_cast<std::size_t>(index)]
                                                                    : nullptr;
}

// A handle is the address of its variable: as no variable is bound to an object, nothing has to be
// allocated.
const control_variable* behind(MPI_T_cvar_handle handle) {
  for (const control_variable& v : control_variables()) {
    if (reinterpret_cast<const void*>(handle) == &v) return &v;
  }
  return nullptr;
}

}  // namespace

int impl::T_cvar_get_num(call&, int* n) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *n = static_cast<int>(control_variables().size());
  return MPI_SUCCESS;
}

int impl::T_cvar_get_info(call&, int index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                          MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const control_variable* v = control_at(index);
  if (v == nullptr) return MPI_T_ERR_INVALID_INDEX;
  give_tool_text(v->name, name, name_len);
  give_tool_text(v->description, desc, desc_len);
  if (verbosity != nullptr) *verbosity = v->verbosity;
  if (datatype != nullptr) *datatype = MPI_CHAR;
  if (enumtype != nullptr) *enumtype = MPI_T_ENUM_NULL;
  if (bind != nullptr) *bind = MPI_T_BIND_NO_OBJECT;
  if (scope != nullptr) *scope = MPI_T_SCOPE_ALL_EQ;
  return MPI_SUCCESS;
}

int impl::T_cvar_get_index(call&, const char* name, int* index) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const auto all = control_variables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::strcmp(all[i].name, name) == 0) {
      *index = static_cast<int>(i);
      return MPI_SUCCESS;
    }
  }
  return MPI_T_ERR_INVALID_NAME;
}

int impl::T_cvar_handle_alloc(call&, int index, void*, MPI_T_cvar_handle* handle, int* count) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const control_variable* v = control_at(index);
  if (v == nullptr) return MPI_T_ERR_INVALID_INDEX;
  *handle = reinterpret_cast<MPI_T_cvar_handle>(const_cast<control_variable*>(v));
  *count = value_capacity;
  return MPI_SUCCESS;
}

int impl::T_cvar_handle_free(call&, MPI_T_cvar_handle* handle) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  if (behind(*handle) == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  *handle = MPI_T_CVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int impl::T_cvar_read(call&, MPI_T_cvar_handle handle, void* buf) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const control_variable* v = behind(handle);
  if (v == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  const char* set = std::getenv(v->name);
  std::strncpy(static_cast<char*>(buf), set != nullptr ? set : v->initial, value_capacity);
  static_cast<char*>(buf)[value_capacity - 1] = '\0';
  return MPI_SUCCESS;
}

// Sets the environment variable, which the library reads once, when it starts.
int impl::T_cvar_write(call& c, MPI_T_cvar_handle handle, const void* buf) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const control_variable* v = behind(handle);
  if (v == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  if (std::memchr(buf, '\0', value_capacity) == nullptr) return MPI_T_ERR_INVALID;
  if (c.process().running() || c.process().state() != phase::before_init) return MPI_T_ERR_CVAR_SET_NOT_NOW;
  return setenv(v->name, static_cast<const char*>(buf), 1) == 0 ? MPI_SUCCESS : MPI_T_ERR_MEMORY;
}

}  // namespace loadstone::mpi
