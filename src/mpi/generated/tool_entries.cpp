// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_T_category_changed([[maybe_unused]] int *update_number) try {
  call c(function::T_category_changed);
  if (no_address(update_number)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_changed(c, update_number);
} catch (...) {
  return caught(function::T_category_changed);
}
LOADSTONE_ALIAS(MPI_T_category_changed)

int PMPI_T_category_get_categories([[maybe_unused]] int cat_index, [[maybe_unused]] int len,
    [[maybe_unused]] int indices[]) try {
  call c(function::T_category_get_categories);
  if (no_address(indices) && len > 0) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_categories(c, cat_index, len, indices);
} catch (...) {
  return caught(function::T_category_get_categories);
}
LOADSTONE_ALIAS(MPI_T_category_get_categories)

int PMPI_T_category_get_cvars([[maybe_unused]] int cat_index, [[maybe_unused]] int len,
    [[maybe_unused]] int indices[]) try {
  call c(function::T_category_get_cvars);
  if (no_address(indices) && len > 0) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_cvars(c, cat_index, len, indices);
} catch (...) {
  return caught(function::T_category_get_cvars);
}
LOADSTONE_ALIAS(MPI_T_category_get_cvars)

int PMPI_T_category_get_events([[maybe_unused]] int cat_index, [[maybe_unused]] int len,
    [[maybe_unused]] int indices[]) try {
  call c(function::T_category_get_events);
  if (no_address(indices) && len > 0) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_events(c, cat_index, len, indices);
} catch (...) {
  return caught(function::T_category_get_events);
}
LOADSTONE_ALIAS(MPI_T_category_get_events)

int PMPI_T_category_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int *cat_index) try {
  call c(function::T_category_get_index);
  if (no_address(name)) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(cat_index)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_index(c, name, cat_index);
} catch (...) {
  return caught(function::T_category_get_index);
}
LOADSTONE_ALIAS(MPI_T_category_get_index)

int PMPI_T_category_get_info([[maybe_unused]] int cat_index, [[maybe_unused]] char *name,
    [[maybe_unused]] int *name_len, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len,
    [[maybe_unused]] int *num_cvars, [[maybe_unused]] int *num_pvars,
    [[maybe_unused]] int *num_categories) try {
  call c(function::T_category_get_info);
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc) && desc != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc_len) && desc_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(num_cvars) && num_cvars != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(num_pvars) && num_pvars != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(num_categories) && num_categories != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_info(c, cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars,
      num_categories);
} catch (...) {
  return caught(function::T_category_get_info);
}
LOADSTONE_ALIAS(MPI_T_category_get_info)

int PMPI_T_category_get_num([[maybe_unused]] int *num_cat) try {
  call c(function::T_category_get_num);
  if (no_address(num_cat)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_num(c, num_cat);
} catch (...) {
  return caught(function::T_category_get_num);
}
LOADSTONE_ALIAS(MPI_T_category_get_num)

int PMPI_T_category_get_num_events([[maybe_unused]] int cat_index, [[maybe_unused]] int *num_events) try {
  call c(function::T_category_get_num_events);
  if (no_address(num_events)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_num_events(c, cat_index, num_events);
} catch (...) {
  return caught(function::T_category_get_num_events);
}
LOADSTONE_ALIAS(MPI_T_category_get_num_events)

int PMPI_T_category_get_pvars([[maybe_unused]] int cat_index, [[maybe_unused]] int len,
    [[maybe_unused]] int indices[]) try {
  call c(function::T_category_get_pvars);
  if (no_address(indices) && len > 0) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_category_get_pvars(c, cat_index, len, indices);
} catch (...) {
  return caught(function::T_category_get_pvars);
}
LOADSTONE_ALIAS(MPI_T_category_get_pvars)

int PMPI_T_cvar_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int *cvar_index) try {
  call c(function::T_cvar_get_index);
  if (no_address(name)) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(cvar_index)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_get_index(c, name, cvar_index);
} catch (...) {
  return caught(function::T_cvar_get_index);
}
LOADSTONE_ALIAS(MPI_T_cvar_get_index)

int PMPI_T_cvar_get_info([[maybe_unused]] int cvar_index, [[maybe_unused]] char *name,
    [[maybe_unused]] int *name_len, [[maybe_unused]] int *verbosity, [[maybe_unused]] MPI_Datatype *datatype,
    [[maybe_unused]] MPI_T_enum *enumtype, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len,
    [[maybe_unused]] int *bind, [[maybe_unused]] int *scope) try {
  call c(function::T_cvar_get_info);
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(verbosity) && verbosity != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(datatype) && datatype != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(enumtype) && enumtype != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc) && desc != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc_len) && desc_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(bind) && bind != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(scope) && scope != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_get_info(c, cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len,
      bind, scope);
} catch (...) {
  return caught(function::T_cvar_get_info);
}
LOADSTONE_ALIAS(MPI_T_cvar_get_info)

int PMPI_T_cvar_get_num([[maybe_unused]] int *num_cvar) try {
  call c(function::T_cvar_get_num);
  if (no_address(num_cvar)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_get_num(c, num_cvar);
} catch (...) {
  return caught(function::T_cvar_get_num);
}
LOADSTONE_ALIAS(MPI_T_cvar_get_num)

int PMPI_T_cvar_handle_alloc([[maybe_unused]] int cvar_index, [[maybe_unused]] void *obj_handle,
    [[maybe_unused]] MPI_T_cvar_handle *handle, [[maybe_unused]] int *count) try {
  call c(function::T_cvar_handle_alloc);
  if (no_address(handle)) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(count)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_handle_alloc(c, cvar_index, obj_handle, handle, count);
} catch (...) {
  return caught(function::T_cvar_handle_alloc);
}
LOADSTONE_ALIAS(MPI_T_cvar_handle_alloc)

int PMPI_T_cvar_handle_free([[maybe_unused]] MPI_T_cvar_handle *handle) try {
  call c(function::T_cvar_handle_free);
  if (no_address(handle)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_handle_free(c, handle);
} catch (...) {
  return caught(function::T_cvar_handle_free);
}
LOADSTONE_ALIAS(MPI_T_cvar_handle_free)

int PMPI_T_cvar_read([[maybe_unused]] MPI_T_cvar_handle handle, [[maybe_unused]] void *buf) try {
  call c(function::T_cvar_read);
  if (no_address(buf)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_read(c, handle, buf);
} catch (...) {
  return caught(function::T_cvar_read);
}
LOADSTONE_ALIAS(MPI_T_cvar_read)

int PMPI_T_cvar_write([[maybe_unused]] MPI_T_cvar_handle handle, [[maybe_unused]] const void *buf) try {
  call c(function::T_cvar_write);
  if (no_address(buf)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_cvar_write(c, handle, buf);
} catch (...) {
  return caught(function::T_cvar_write);
}
LOADSTONE_ALIAS(MPI_T_cvar_write)

int PMPI_T_enum_get_info([[maybe_unused]] MPI_T_enum enumtype, [[maybe_unused]] int *num,
    [[maybe_unused]] char *name, [[maybe_unused]] int *name_len) try {
  call c(function::T_enum_get_info);
  if (no_address(num) && num != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_enum_get_info(c, enumtype, num, name, name_len);
} catch (...) {
  return caught(function::T_enum_get_info);
}
LOADSTONE_ALIAS(MPI_T_enum_get_info)

int PMPI_T_enum_get_item([[maybe_unused]] MPI_T_enum enumtype, [[maybe_unused]] int indx,
    [[maybe_unused]] int *value, [[maybe_unused]] char *name, [[maybe_unused]] int *name_len) try {
  call c(function::T_enum_get_item);
  if (no_address(value) && value != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_enum_get_item(c, enumtype, indx, value, name, name_len);
} catch (...) {
  return caught(function::T_enum_get_item);
}
LOADSTONE_ALIAS(MPI_T_enum_get_item)

int PMPI_T_event_callback_get_info([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] MPI_T_cb_safety cb_safety, [[maybe_unused]] MPI_Info *info_used) try {
  call c(function::T_event_callback_get_info);
  if (no_address(info_used)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_callback_get_info(c, event_registration, cb_safety, info_used);
} catch (...) {
  return caught(function::T_event_callback_get_info);
}
LOADSTONE_ALIAS(MPI_T_event_callback_get_info)

int PMPI_T_event_callback_set_info([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] MPI_T_cb_safety cb_safety, [[maybe_unused]] MPI_Info info) try {
  call c(function::T_event_callback_set_info);
  return impl::T_event_callback_set_info(c, event_registration, cb_safety, info);
} catch (...) {
  return caught(function::T_event_callback_set_info);
}
LOADSTONE_ALIAS(MPI_T_event_callback_set_info)

int PMPI_T_event_copy([[maybe_unused]] MPI_T_event_instance event_instance,
    [[maybe_unused]] void *buffer) try {
  call c(function::T_event_copy);
  if (no_address(buffer)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_copy(c, event_instance, buffer);
} catch (...) {
  return caught(function::T_event_copy);
}
LOADSTONE_ALIAS(MPI_T_event_copy)

int PMPI_T_event_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int *event_index) try {
  call c(function::T_event_get_index);
  if (no_address(name)) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(event_index)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_get_index(c, name, event_index);
} catch (...) {
  return caught(function::T_event_get_index);
}
LOADSTONE_ALIAS(MPI_T_event_get_index)

int PMPI_T_event_get_info([[maybe_unused]] int event_index, [[maybe_unused]] char *name,
    [[maybe_unused]] int *name_len, [[maybe_unused]] int *verbosity,
    [[maybe_unused]] MPI_Datatype array_of_datatypes[], [[maybe_unused]] MPI_Aint array_of_displacements[],
    [[maybe_unused]] int *num_elements, [[maybe_unused]] MPI_T_enum *enumtype,
    [[maybe_unused]] MPI_Info *info, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len,
    [[maybe_unused]] int *bind) try {
  call c(function::T_event_get_info);
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(verbosity) && verbosity != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(array_of_datatypes) && array_of_datatypes != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(array_of_displacements) && array_of_displacements != nullptr) [[unlikely]]
    return MPI_T_ERR_INVALID;
  if (no_address(num_elements) && num_elements != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(enumtype) && enumtype != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(info) && info != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc) && desc != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc_len) && desc_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(bind) && bind != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_get_info(c, event_index, name, name_len, verbosity, array_of_datatypes,
      array_of_displacements, num_elements, enumtype, info, desc, desc_len, bind);
} catch (...) {
  return caught(function::T_event_get_info);
}
LOADSTONE_ALIAS(MPI_T_event_get_info)

int PMPI_T_event_get_num([[maybe_unused]] int *num_events) try {
  call c(function::T_event_get_num);
  if (no_address(num_events)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_get_num(c, num_events);
} catch (...) {
  return caught(function::T_event_get_num);
}
LOADSTONE_ALIAS(MPI_T_event_get_num)

int PMPI_T_event_get_source([[maybe_unused]] MPI_T_event_instance event_instance,
    [[maybe_unused]] int *source_index) try {
  call c(function::T_event_get_source);
  if (no_address(source_index)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_get_source(c, event_instance, source_index);
} catch (...) {
  return caught(function::T_event_get_source);
}
LOADSTONE_ALIAS(MPI_T_event_get_source)

int PMPI_T_event_get_timestamp([[maybe_unused]] MPI_T_event_instance event_instance,
    [[maybe_unused]] MPI_Count *event_timestamp) try {
  call c(function::T_event_get_timestamp);
  if (no_address(event_timestamp)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_get_timestamp(c, event_instance, event_timestamp);
} catch (...) {
  return caught(function::T_event_get_timestamp);
}
LOADSTONE_ALIAS(MPI_T_event_get_timestamp)

int PMPI_T_event_handle_alloc([[maybe_unused]] int event_index, [[maybe_unused]] void *obj_handle,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_T_event_registration *event_registration) try {
  call c(function::T_event_handle_alloc);
  if (no_address(event_registration)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_handle_alloc(c, event_index, obj_handle, info, event_registration);
} catch (...) {
  return caught(function::T_event_handle_alloc);
}
LOADSTONE_ALIAS(MPI_T_event_handle_alloc)

int PMPI_T_event_handle_free([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] void *user_data, [[maybe_unused]] MPI_T_event_free_cb_function free_cb_function) try {
  call c(function::T_event_handle_free);
  if (no_address(free_cb_function) && free_cb_function != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_handle_free(c, event_registration, user_data, free_cb_function);
} catch (...) {
  return caught(function::T_event_handle_free);
}
LOADSTONE_ALIAS(MPI_T_event_handle_free)

int PMPI_T_event_handle_get_info([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] MPI_Info *info_used) try {
  call c(function::T_event_handle_get_info);
  if (no_address(info_used)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_handle_get_info(c, event_registration, info_used);
} catch (...) {
  return caught(function::T_event_handle_get_info);
}
LOADSTONE_ALIAS(MPI_T_event_handle_get_info)

int PMPI_T_event_handle_set_info([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] MPI_Info info) try {
  call c(function::T_event_handle_set_info);
  return impl::T_event_handle_set_info(c, event_registration, info);
} catch (...) {
  return caught(function::T_event_handle_set_info);
}
LOADSTONE_ALIAS(MPI_T_event_handle_set_info)

int PMPI_T_event_read([[maybe_unused]] MPI_T_event_instance event_instance,
    [[maybe_unused]] int element_index, [[maybe_unused]] void *buffer) try {
  call c(function::T_event_read);
  if (no_address(buffer)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_read(c, event_instance, element_index, buffer);
} catch (...) {
  return caught(function::T_event_read);
}
LOADSTONE_ALIAS(MPI_T_event_read)

int PMPI_T_event_register_callback([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] MPI_T_cb_safety cb_safety, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] void *user_data, [[maybe_unused]] MPI_T_event_cb_function event_cb_function) try {
  call c(function::T_event_register_callback);
  if (no_address(event_cb_function) && event_cb_function != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_event_register_callback(c, event_registration, cb_safety, info, user_data,
      event_cb_function);
} catch (...) {
  return caught(function::T_event_register_callback);
}
LOADSTONE_ALIAS(MPI_T_event_register_callback)

int PMPI_T_event_set_dropped_handler([[maybe_unused]] MPI_T_event_registration event_registration,
    [[maybe_unused]] MPI_T_event_dropped_cb_function dropped_cb_function) try {
  call c(function::T_event_set_dropped_handler);
  if (no_address(dropped_cb_function) && dropped_cb_function != nullptr) [[unlikely]]
    return MPI_T_ERR_INVALID;
  return impl::T_event_set_dropped_handler(c, event_registration, dropped_cb_function);
} catch (...) {
  return caught(function::T_event_set_dropped_handler);
}
LOADSTONE_ALIAS(MPI_T_event_set_dropped_handler)

int PMPI_T_finalize() try {
  call c(function::T_finalize);
  return impl::T_finalize(c);
} catch (...) {
  return caught(function::T_finalize);
}
LOADSTONE_ALIAS(MPI_T_finalize)

int PMPI_T_init_thread([[maybe_unused]] int required, [[maybe_unused]] int *provided) try {
  call c(function::T_init_thread);
  if (no_address(provided) && provided != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_init_thread(c, required, provided);
} catch (...) {
  return caught(function::T_init_thread);
}
LOADSTONE_ALIAS(MPI_T_init_thread)

int PMPI_T_pvar_get_index([[maybe_unused]] const char *name, [[maybe_unused]] int var_class,
    [[maybe_unused]] int *pvar_index) try {
  call c(function::T_pvar_get_index);
  if (no_address(name)) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(pvar_index)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_get_index(c, name, var_class, pvar_index);
} catch (...) {
  return caught(function::T_pvar_get_index);
}
LOADSTONE_ALIAS(MPI_T_pvar_get_index)

int PMPI_T_pvar_get_info([[maybe_unused]] int pvar_index, [[maybe_unused]] char *name,
    [[maybe_unused]] int *name_len, [[maybe_unused]] int *verbosity, [[maybe_unused]] int *var_class,
    [[maybe_unused]] MPI_Datatype *datatype, [[maybe_unused]] MPI_T_enum *enumtype,
    [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len, [[maybe_unused]] int *bind,
    [[maybe_unused]] int *readonly, [[maybe_unused]] int *continuous, [[maybe_unused]] int *atomic) try {
  call c(function::T_pvar_get_info);
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(verbosity) && verbosity != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(var_class) && var_class != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(datatype) && datatype != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(enumtype) && enumtype != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc) && desc != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc_len) && desc_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(bind) && bind != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(readonly) && readonly != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(continuous) && continuous != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(atomic) && atomic != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_get_info(c, pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc,
      desc_len, bind, readonly, continuous, atomic);
} catch (...) {
  return caught(function::T_pvar_get_info);
}
LOADSTONE_ALIAS(MPI_T_pvar_get_info)

int PMPI_T_pvar_get_num([[maybe_unused]] int *num_pvar) try {
  call c(function::T_pvar_get_num);
  if (no_address(num_pvar)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_get_num(c, num_pvar);
} catch (...) {
  return caught(function::T_pvar_get_num);
}
LOADSTONE_ALIAS(MPI_T_pvar_get_num)

int PMPI_T_pvar_handle_alloc([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] int pvar_index,
    [[maybe_unused]] void *obj_handle, [[maybe_unused]] MPI_T_pvar_handle *handle,
    [[maybe_unused]] int *count) try {
  call c(function::T_pvar_handle_alloc);
  if (no_address(handle)) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(count)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_handle_alloc(c, session, pvar_index, obj_handle, handle, count);
} catch (...) {
  return caught(function::T_pvar_handle_alloc);
}
LOADSTONE_ALIAS(MPI_T_pvar_handle_alloc)

int PMPI_T_pvar_handle_free([[maybe_unused]] MPI_T_pvar_session session,
    [[maybe_unused]] MPI_T_pvar_handle *handle) try {
  call c(function::T_pvar_handle_free);
  if (no_address(handle)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_handle_free(c, session, handle);
} catch (...) {
  return caught(function::T_pvar_handle_free);
}
LOADSTONE_ALIAS(MPI_T_pvar_handle_free)

int PMPI_T_pvar_read([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle,
    [[maybe_unused]] void *buf) try {
  call c(function::T_pvar_read);
  if (no_address(buf)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_read(c, session, handle, buf);
} catch (...) {
  return caught(function::T_pvar_read);
}
LOADSTONE_ALIAS(MPI_T_pvar_read)

int PMPI_T_pvar_readreset([[maybe_unused]] MPI_T_pvar_session session,
    [[maybe_unused]] MPI_T_pvar_handle handle, [[maybe_unused]] void *buf) try {
  call c(function::T_pvar_readreset);
  if (no_address(buf)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_readreset(c, session, handle, buf);
} catch (...) {
  return caught(function::T_pvar_readreset);
}
LOADSTONE_ALIAS(MPI_T_pvar_readreset)

int PMPI_T_pvar_reset([[maybe_unused]] MPI_T_pvar_session session,
    [[maybe_unused]] MPI_T_pvar_handle handle) try {
  call c(function::T_pvar_reset);
  return impl::T_pvar_reset(c, session, handle);
} catch (...) {
  return caught(function::T_pvar_reset);
}
LOADSTONE_ALIAS(MPI_T_pvar_reset)

int PMPI_T_pvar_session_create([[maybe_unused]] MPI_T_pvar_session *session) try {
  call c(function::T_pvar_session_create);
  if (no_address(session)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_session_create(c, session);
} catch (...) {
  return caught(function::T_pvar_session_create);
}
LOADSTONE_ALIAS(MPI_T_pvar_session_create)

int PMPI_T_pvar_session_free([[maybe_unused]] MPI_T_pvar_session *session) try {
  call c(function::T_pvar_session_free);
  if (no_address(session)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_session_free(c, session);
} catch (...) {
  return caught(function::T_pvar_session_free);
}
LOADSTONE_ALIAS(MPI_T_pvar_session_free)

int PMPI_T_pvar_start([[maybe_unused]] MPI_T_pvar_session session,
    [[maybe_unused]] MPI_T_pvar_handle handle) try {
  call c(function::T_pvar_start);
  return impl::T_pvar_start(c, session, handle);
} catch (...) {
  return caught(function::T_pvar_start);
}
LOADSTONE_ALIAS(MPI_T_pvar_start)

int PMPI_T_pvar_stop([[maybe_unused]] MPI_T_pvar_session session,
    [[maybe_unused]] MPI_T_pvar_handle handle) try {
  call c(function::T_pvar_stop);
  return impl::T_pvar_stop(c, session, handle);
} catch (...) {
  return caught(function::T_pvar_stop);
}
LOADSTONE_ALIAS(MPI_T_pvar_stop)

int PMPI_T_pvar_write([[maybe_unused]] MPI_T_pvar_session session, [[maybe_unused]] MPI_T_pvar_handle handle,
    [[maybe_unused]] const void *buf) try {
  call c(function::T_pvar_write);
  if (no_address(buf)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_pvar_write(c, session, handle, buf);
} catch (...) {
  return caught(function::T_pvar_write);
}
LOADSTONE_ALIAS(MPI_T_pvar_write)

int PMPI_T_source_get_info([[maybe_unused]] int source_index, [[maybe_unused]] char *name,
    [[maybe_unused]] int *name_len, [[maybe_unused]] char *desc, [[maybe_unused]] int *desc_len,
    [[maybe_unused]] MPI_T_source_order *ordering, [[maybe_unused]] MPI_Count *ticks_per_second,
    [[maybe_unused]] MPI_Count *max_ticks, [[maybe_unused]] MPI_Info *info) try {
  call c(function::T_source_get_info);
  if (no_address(name) && name != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(name_len) && name_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc) && desc != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(desc_len) && desc_len != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(ordering) && ordering != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(ticks_per_second) && ticks_per_second != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(max_ticks) && max_ticks != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  if (no_address(info) && info != nullptr) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_source_get_info(c, source_index, name, name_len, desc, desc_len, ordering, ticks_per_second,
      max_ticks, info);
} catch (...) {
  return caught(function::T_source_get_info);
}
LOADSTONE_ALIAS(MPI_T_source_get_info)

int PMPI_T_source_get_num([[maybe_unused]] int *num_sources) try {
  call c(function::T_source_get_num);
  if (no_address(num_sources)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_source_get_num(c, num_sources);
} catch (...) {
  return caught(function::T_source_get_num);
}
LOADSTONE_ALIAS(MPI_T_source_get_num)

int PMPI_T_source_get_timestamp([[maybe_unused]] int source_index,
    [[maybe_unused]] MPI_Count *timestamp) try {
  call c(function::T_source_get_timestamp);
  if (no_address(timestamp)) [[unlikely]] return MPI_T_ERR_INVALID;
  return impl::T_source_get_timestamp(c, source_index, timestamp);
} catch (...) {
  return caught(function::T_source_get_timestamp);
}
LOADSTONE_ALIAS(MPI_T_source_get_timestamp)

}  // extern "C"
