// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_T_category_changed([[maybe_unused]] int *update_number) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_changed)

int PMPI_T_category_get_categories([[maybe_unused]] int cat_index, [[maybe_unused]] int len, [[maybe_unused]] int indices[]) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_categories)

int PMPI_T_category_get_cvars([[maybe_unused]] int cat_index, [[maybe_unused]] int len, [[maybe_unused]] int indices[]) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_cvars)

int PMPI_T_category_get_events([[maybe_unused]] int cat_index, [[maybe_unused]] int len, [[maybe_unused]] int indices[]) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_events)

int PMPI_T_category_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int *cat_index) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_index)

int PMPI_T_category_get_info([[maybe_unused]] int cat_index, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len, [[maybe_unused]] int *num_cvars, [[maybe_unused]] int *num_pvars, [[maybe_unused]] int *num_categories) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_info)

int PMPI_T_category_get_num([[maybe_unused]] int *num_cat) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_num)

int PMPI_T_category_get_num_events([[maybe_unused]] int cat_index, [[maybe_unused]] int *num_events) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_num_events)

int PMPI_T_category_get_pvars([[maybe_unused]] int cat_index, [[maybe_unused]] int len, [[maybe_unused]] int indices[]) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_category_get_pvars)

int PMPI_T_cvar_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int *cvar_index) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_get_index)

int PMPI_T_cvar_get_info([[maybe_unused]] int cvar_index, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len, [[maybe_unused]] int *verbosity, [[maybe_unused]] MPI_Datatype *datatype, [[maybe_unused]] MPI_T_enum *enumtype, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len, [[maybe_unused]] int *bind, [[maybe_unused]] int *scope) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_get_info)

int PMPI_T_cvar_get_num([[maybe_unused]] int *num_cvar) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_get_num)

int PMPI_T_cvar_handle_alloc([[maybe_unused]] int cvar_index, [[maybe_unused]] void *obj_handle, [[maybe_unused]] MPI_T_cvar_handle *handle, [[maybe_unused]] int *count) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_handle_alloc)

int PMPI_T_cvar_handle_free([[maybe_unused]] MPI_T_cvar_handle *handle) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_handle_free)

int PMPI_T_cvar_read([[maybe_unused]] MPI_T_cvar_handle handle, [[maybe_unused]] void *buf) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_read)

int PMPI_T_cvar_write([[maybe_unused]] MPI_T_cvar_handle handle, [[maybe_unused]] const void *buf) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_cvar_write)

int PMPI_T_enum_get_info([[maybe_unused]] MPI_T_enum enumtype, [[maybe_unused]] int *num, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_enum_get_info)

int PMPI_T_enum_get_item([[maybe_unused]] MPI_T_enum enumtype, [[maybe_unused]] int indx, [[maybe_unused]] int *value, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_enum_get_item)

int PMPI_T_event_callback_get_info([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] MPI_T_cb_safety cb_safety, [[maybe_unused]] MPI_Info *info_used) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_callback_get_info)

int PMPI_T_event_callback_set_info([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] MPI_T_cb_safety cb_safety, [[maybe_unused]] MPI_Info info) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_callback_set_info)

int PMPI_T_event_copy([[maybe_unused]] MPI_T_event_instance event_instance, [[maybe_unused]] void *buffer) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_copy)

int PMPI_T_event_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int *event_index) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_get_index)

int PMPI_T_event_get_info([[maybe_unused]] int event_index, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len, [[maybe_unused]] int *verbosity, [[maybe_unused]] MPI_Datatype array_of_datatypes[], [[maybe_unused]] MPI_Aint array_of_displacements[], [[maybe_unused]] int *num_elements, [[maybe_unused]] MPI_T_enum *enumtype, [[maybe_unused]] MPI_Info *info, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len, [[maybe_unused]] int *bind) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_get_info)

int PMPI_T_event_get_num([[maybe_unused]] int *num_events) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_get_num)

int PMPI_T_event_get_source([[maybe_unused]] MPI_T_event_instance event_instance, [[maybe_unused]] int *source_index) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_get_source)

int PMPI_T_event_get_timestamp([[maybe_unused]] MPI_T_event_instance event_instance, [[maybe_unused]] MPI_Count *event_timestamp) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_get_timestamp)

int PMPI_T_event_handle_alloc([[maybe_unused]] int event_index, [[maybe_unused]] void *obj_handle, [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_T_event_registration *event_registration) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_handle_alloc)

int PMPI_T_event_handle_free([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] void *user_data, [[maybe_unused]] MPI_T_event_free_cb_function free_cb_function) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_handle_free)

int PMPI_T_event_handle_get_info([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] MPI_Info *info_used) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_handle_get_info)

int PMPI_T_event_handle_set_info([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] MPI_Info info) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_handle_set_info)

int PMPI_T_event_read([[maybe_unused]] MPI_T_event_instance event_instance, [[maybe_unused]] int element_index, [[maybe_unused]] void *buffer) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_read)

int PMPI_T_event_register_callback([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] MPI_T_cb_safety cb_safety, [[maybe_unused]] MPI_Info info, [[maybe_unused]] void *user_data, [[maybe_unused]] MPI_T_event_cb_function event_cb_function) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_register_callback)

int PMPI_T_event_set_dropped_handler([[maybe_unused]] MPI_T_event_registration event_registration, [[maybe_unused]] MPI_T_event_dropped_cb_function dropped_cb_function) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_event_set_dropped_handler)

int PMPI_T_finalize() {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_finalize)

int PMPI_T_init_thread([[maybe_unused]] int required, [[maybe_unused]] int *provided) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_init_thread)

int PMPI_T_pvar_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int var_class, [[maybe_unused]] int *pvar_index) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_get_index)

int PMPI_T_pvar_get_info([[maybe_unused]] int pvar_index, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len, [[maybe_unused]] int *verbosity, [[maybe_unused]] int *var_class, [[maybe_unused]] MPI_Datatype *datatype, [[maybe_unused]] MPI_T_enum *enumtype, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len, [[maybe_unused]] int *bind, [[maybe_unused]] int *readonly, [[maybe_unused]] int *continuous, [[maybe_unused]] int *atomic) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_get_info)

int PMPI_T_pvar_get_num([[maybe_unused]] int *num_pvar) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_get_num)

int PMPI_T_pvar_handle_alloc([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] int pvar_index, [[maybe_unused]] void *obj_handle, [[maybe_unused]] MPI_T_pvar_handle *handle, [[maybe_unused]] int *count) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_handle_alloc)

int PMPI_T_pvar_handle_free([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle *handle) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_handle_free)

int PMPI_T_pvar_read([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle, [[maybe_unused]] void *buf) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_read)

int PMPI_T_pvar_readreset([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle, [[maybe_unused]] void *buf) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_readreset)

int PMPI_T_pvar_reset([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_reset)

int PMPI_T_pvar_session_create([[maybe_unused]] MPI_T_pvar_session *session) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_session_create)

int PMPI_T_pvar_session_free([[maybe_unused]] MPI_T_pvar_session *session) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_session_free)

int PMPI_T_pvar_start([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_start)

int PMPI_T_pvar_stop([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_stop)

int PMPI_T_pvar_write([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle, [[maybe_unused]] const void *buf) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_pvar_write)

int PMPI_T_source_get_info([[maybe_unused]] int source_index, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len, [[maybe_unused]] MPI_T_source_order *ordering, [[maybe_unused]] MPI_Count *ticks_per_second, [[maybe_unused]] MPI_Count *max_ticks, [[maybe_unused]] MPI_Info *info) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_source_get_info)

int PMPI_T_source_get_num([[maybe_unused]] int *num_sources) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_source_get_num)

int PMPI_T_source_get_timestamp([[maybe_unused]] int source_index, [[maybe_unused]] MPI_Count *timestamp) {
  return MPI_T_ERR_NOT_SUPPORTED;
}
LOADSTONE_ALIAS(MPI_T_source_get_timestamp)

}  // extern "C"
