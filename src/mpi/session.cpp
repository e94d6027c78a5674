// Sessions and process sets (MPI §11.3).
#include "mpi/session.hpp"

#include <strings.h>

#include <algorithm>
#include <cstring>

#include "mpi/generated/impl.hpp"
#include "mpi/memory_kinds.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

session::session(process& owner, errhandler* handler, info::pairs content)
    : hints(std::move(content)), owner_(owner) {
  set_error_handler(handler);
}

session::~session() {
  if (errhandler* handler = error_handler_.get()) owner_.release(handler);
}

void session::set_error_handler(errhandler* handler) {
  if (errhandler* old = error_handler_.exchange(handler)) owner_.release(old);
}

namespace {

constexpr const char* process_sets[] = {"mpi://WORLD", "mpi://SELF", "mpi://SHARED"};
constexpr int process_set_count = 3;

int set_number(const char* name) {
  for (int i = 0; i < process_set_count; ++i) {
    if (strcasecmp(name, process_sets[i]) == 0) return i;  // the scheme and host of a URI know no case
  }
  return -1;
}

process_list members_of(process& p, int number) {
  if (number == 1) return {p.id()};
  // On one machine the processes that share memory are the whole world.
  process_list all(p.world_size());
  for (std::uint32_t i = 0; i < p.world_size(); ++i) all[i] = p.runtime().id_of(i);
  return all;
}

const char* level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

int level_of(const std::optional<std::string>& name) {
  for (const int level : {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED}) {
    if (name && *name == level_name(level)) return level;
  }
  return MPI_THREAD_MULTIPLE;  // the default, as a library may be called from any thread
}

}  // namespace

int impl::Session_init(call& c, info* info, errhandler& errhandler, MPI_Session* out) {
  auto& p = c.process();
  const int required = level_of(info != nullptr ? info->find("thread_level") : std::nullopt);
  if (const int error = p.open_session(c, required)) return error;
  info::pairs hints;
  hints.emplace_back("thread_level", level_name(p.thread_level()));
  auto* s = new session(p, &errhandler, with_memory_kinds(std::move(hints)));
  s->set_handle(p.handles.sessions.insert(s));
  *out = s->handle();
  return MPI_SUCCESS;
}

int impl::Session_finalize(call& c, session& session) {
  auto& p = c.process();
  void* address;
  std::int64_t bytes;
  session.buffer->detach(p, &address, &bytes, {call_number(c), -2, 0, 0, "buffered sends"});
  p.handles.sessions.remove(session.handle());
  delete &session;
  return p.close_session();
}

int impl::Session_get_info(call& c, session& session, MPI_Info* info) {
  *info = new_info(c.process(), session.hints.content());
  return MPI_SUCCESS;
}

int impl::Session_get_num_psets(call&, session&, info*, int* n) {
  *n = process_set_count;
  return MPI_SUCCESS;
}

int impl::Session_get_nth_pset(call& c, session&, info*, int n, int* length, char* name) {
  if (n < 0 || n >= process_set_count) {
    return c.fail(MPI_ERR_ARG, "n is {}; expected 0 to {}, for there are {} process sets", n,
                  process_set_count - 1, process_set_count);
  }
  const int needed = static_cast<int>(std::strlen(process_sets[n])) + 1;
  if (*length > 0) {
    const int copied = std::min(*length, needed) - 1;
    std::memcpy(name, process_sets[n], static_cast<std::size_t>(copied));
    name[copied] = '\0';
  }
  *length = needed;
  return MPI_SUCCESS;
}

int impl::Session_get_pset_info(call& c, session&, const char* name, MPI_Info* info) {
  const int number = set_number(name);
  if (number < 0)
    return c.fail(MPI_ERR_ARG, "there is no process set \"{}\"; MPI_Session_get_nth_pset names them", name);
  *info = new_info(c.process(), {{"mpi_size", std::to_string(members_of(c.process(), number).size())}});
  return MPI_SUCCESS;
}

int impl::Group_from_session_pset(call& c, session& session, const char* name, MPI_Group* group) {
  const int number = set_number(name);
  if (number < 0)
    return c.fail(MPI_ERR_ARG, "there is no process set \"{}\"; MPI_Session_get_nth_pset names them", name);
  *group = new_group(c.process(), std::make_shared<const process_list>(members_of(c.process(), number)),
                     session.buffer);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
