// Published names (MPI §11.5.4). Their scope is the job. mpiexec keeps them; a process without
// mpiexec keeps its own. The names of a process vanish when it ends. There are no info keys.
#include <cstring>

#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

namespace {

static_assert(memory::name_bytes == MPI_MAX_PORT_NAME);

bool fits(const char* text) {
  return std::strlen(text) < memory::name_bytes;
}

template <class Request>
base::result<typename Request::answer> ask(call& c, const Request& request) {
  wait::reason why;
  why.call = call_number(c);
  why.peer = -2;
  why.detail = "the answer of mpiexec";
  return c.process().runtime().ask(request, why);
}

template <class Request>
Request about(const char* service, const char* port) {
  Request request{};
  std::strcpy(request.service, service);
  std::strcpy(request.port, port);
  return request;
}

int no_answer(call& c, const base::status& why) {
  return c.fail(MPI_ERR_OTHER, "mpiexec does not answer: {}", why.what);
}

// Checks the pair that MPI_Publish_name or MPI_Unpublish_name got.
int check_pair(call& c, const char* service, const char* port) {
  if (*service == 0 || !fits(service))
    return c.fail(MPI_ERR_SERVICE, "service_name has {} characters; expected 1 to {}", std::strlen(service),
                  memory::name_bytes - 1);
  if (!fits(port))
    return c.fail(MPI_ERR_PORT, "port_name has {} characters; expected at most {}", std::strlen(port),
                  memory::name_bytes - 1);
  return MPI_SUCCESS;
}

}  // namespace

int impl::Publish_name(call& c, const char* service, info*, const char* port) {
  if (const int error = check_pair(c, service, port)) return error;
  auto answer = ask(c, about<memory::publish_name>(service, port));
  if (!answer) return no_answer(c, answer.error());
  if (answer->outcome == memory::name_outcome::taken)
    return c.fail(MPI_ERR_SERVICE, "service_name \"{}\" is published already; expected a new one", service);
  if (answer->outcome == memory::name_outcome::full)
    return c.fail(MPI_ERR_NO_MEM, "too many names are published");
  return MPI_SUCCESS;
}

int impl::Lookup_name(call& c, const char* service, info*, char* port) {
  memory::lookup_name request{};
  if (!fits(service))
    return c.fail(MPI_ERR_NAME, "service_name has {} characters; expected at most {}", std::strlen(service),
                  memory::name_bytes - 1);
  std::strcpy(request.service, service);
  auto answer = ask(c, request);
  if (!answer) return no_answer(c, answer.error());
  if (answer->outcome != memory::name_outcome::done)
    return c.fail(MPI_ERR_NAME,
                  "service_name is \"{}\"; expected one that a process of this job has published", service);
  std::strcpy(port, answer->port);
  return MPI_SUCCESS;
}

int impl::Unpublish_name(call& c, const char* service, info*, const char* port) {
  if (const int error = check_pair(c, service, port)) return error;
  auto answer = ask(c, about<memory::unpublish_name>(service, port));
  if (!answer) return no_answer(c, answer.error());
  if (answer->outcome != memory::name_outcome::done)
    return c.fail(MPI_ERR_SERVICE,
                  "service_name \"{}\" is not published with port_name \"{}\"; expected a pair that is",
                  service, port);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
