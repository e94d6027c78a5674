// Events (MPI §15.3.8). The library defines none, so no index, handle or instance is ever valid.
#include "mpi/generated/impl.hpp"
#include "mpi/tool.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

int refuse(int error) {
  return tool_running() ? error : MPI_T_ERR_NOT_INITIALIZED;
}

}  // namespace

int impl::T_event_callback_get_info(call&, MPI_T_event_registration, MPI_T_cb_safety, MPI_Info*) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_callback_set_info(call&, MPI_T_event_registration, MPI_T_cb_safety, MPI_Info) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_copy(call&, MPI_T_event_instance, void*) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_get_index(call&, const char*, int*) {
  return refuse(MPI_T_ERR_INVALID_NAME);
}

int impl::T_event_get_info(call&, int, char*, int*, int*, MPI_Datatype[], MPI_Aint[], int*, MPI_T_enum*,
                           MPI_Info*, char*, int*, int*) {
  return refuse(MPI_T_ERR_INVALID_INDEX);
}

int impl::T_event_get_source(call&, MPI_T_event_instance, int*) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_get_timestamp(call&, MPI_T_event_instance, MPI_Count*) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_handle_alloc(call&, int, void*, MPI_Info, MPI_T_event_registration*) {
  return refuse(MPI_T_ERR_INVALID_INDEX);
}

int impl::T_event_handle_free(call&, MPI_T_event_registration, void*, MPI_T_event_free_cb_function) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_handle_get_info(call&, MPI_T_event_registration, MPI_Info*) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_handle_set_info(call&, MPI_T_event_registration, MPI_Info) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_read(call&, MPI_T_event_instance, int, void*) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_register_callback(call&, MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*,
                                    MPI_T_event_cb_function) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

int impl::T_event_set_dropped_handler(call&, MPI_T_event_registration, MPI_T_event_dropped_cb_function) {
  return refuse(MPI_T_ERR_INVALID_HANDLE);
}

}  // namespace loadstone::mpi
