// MPI_Init, MPI_Finalize and MPI_Abort, and inquiries about the world model (MPI §11.2, §11.4).
#include <fmt/core.h>

#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

int impl::Init(call& c, int*, char***) {
  return c.process().initialize(c, MPI_THREAD_SINGLE);
}

int impl::Init_thread(call& c, int*, char***, int required, int* provided) {
  const int level = required <= MPI_THREAD_SINGLE       ? MPI_THREAD_SINGLE
                    : required <= MPI_THREAD_FUNNELED   ? MPI_THREAD_FUNNELED
                    : required <= MPI_THREAD_SERIALIZED ? MPI_THREAD_SERIALIZED
                                                        : MPI_THREAD_MULTIPLE;
  if (const int error = c.process().initialize(c, level)) return error;
  *provided = c.process().thread_level();
  return MPI_SUCCESS;
}

int impl::Finalize(call& c) {
  if (!c.process().world()) return c.fail(MPI_ERR_OTHER, "called without MPI_Init; only sessions are open");
  return c.process().finalize(c);
}

int impl::Initialized(call& c, int* flag) {
  *flag = c.process().state() != phase::before_init;
  return MPI_SUCCESS;
}

int impl::Finalized(call& c, int* flag) {
  *flag = c.process().state() == phase::after_finalize;
  return MPI_SUCCESS;
}

int impl::Query_thread(call& c, int* provided) {
  *provided = c.process().thread_level();
  return MPI_SUCCESS;
}

int impl::Is_thread_main(call& c, int* flag) {
  *flag = c.process().on_main_thread();
  return MPI_SUCCESS;
}

int impl::Abort(call& c, MPI_Comm comm, int errorcode) {
  auto& p = c.process();
  // Do it even if the handle is wrong (MPI §9.4), as the program wants to end.
  communicator* where = p.handles.comms.find(comm);
  const std::string name = where != nullptr && !where->name().empty() ? where->name() : "a communicator";
  p.end(memory::last_words::abort, errorcode, fmt::format("on {}", name));
}

int impl::Comm_get_parent(call&, MPI_Comm* parent) {
  *parent = MPI_COMM_NULL;  // no process is spawned
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
