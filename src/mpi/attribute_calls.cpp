// Attribute caching on communicators, datatypes and windows (MPI §7.7), keyvals and the predefined
// attributes of MPI_COMM_WORLD and of windows. The deprecated MPI_Attr_* and MPI_Keyval_* are
// served by the communicator forms.
#include "mpi/attributes.hpp"
#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/window.hpp"

namespace loadstone::mpi {
namespace {

template <class Copy, class Delete>
int create_keyval(call& c, attribute_owner owner, Copy* copy, Delete* remove, int* number,
                  void* extra_state) {
  *number = c.handles().keyvals.create(owner, reinterpret_cast<copy_function*>(copy),
                                       reinterpret_cast<delete_function*>(remove), extra_state);
  return MPI_SUCCESS;
}

int free_keyval(call& c, attribute_owner owner, int* number) {
  if (!c.handles().keyvals.free(*number, owner)) {
    return c.fail(MPI_ERR_KEYVAL,
                  "keyval {} is not one that was created for this kind of object and not freed", *number);
  }
  *number = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

bool predefined_key(int number) {
  return number >= MPI_TAG_UB && number <= MPI_UNIVERSE_SIZE;
}

bool predefined_window_key(int number) {
  return number >= MPI_WIN_BASE && number <= MPI_WIN_MODEL;
}

std::shared_ptr<const keyval> find_key(call& c, int number, attribute_owner owner, int* error) {
  auto key = c.handles().keyvals.find(number, owner);
  if (key == nullptr) {
    *error =
        predefined_key(number) || predefined_window_key(number)
            ? c.fail(MPI_ERR_KEYVAL, "keyval {} is a predefined attribute; expected one made by the program",
                     number)
            : c.fail(MPI_ERR_KEYVAL,
                     "keyval {} is not one that was created for this kind of object and not freed", number);
  }
  return key;
}

template <class Object>
int set_attribute(call& c, Object& object, attribute_owner owner, int number, void* value) {
  int error = MPI_SUCCESS;
  auto key = find_key(c, number, owner, &error);
  if (key == nullptr) return error;
  if (const int code = object.attributes.set(object.handle(), std::move(key), value)) {
    return c.fail(code, "the delete function of keyval {} returned {}", number, code);
  }
  return MPI_SUCCESS;
}

template <class Object>
int delete_attribute(call& c, Object& object, attribute_owner owner, int number) {
  int error = MPI_SUCCESS;
  auto key = find_key(c, number, owner, &error);
  if (key == nullptr) return error;
  bool found = false;
  if (const int code = object.attributes.remove(object.handle(), number, &found)) {
    return c.fail(code, "the delete function of keyval {} returned {}", number, code);
  }
  if (!found) return c.fail(MPI_ERR_KEYVAL, "no attribute with keyval {} is set on this object", number);
  return MPI_SUCCESS;
}

template <class Object>
int get_attribute(call& c, Object& object, attribute_owner owner, int number, void* value, int* flag) {
  int error = MPI_SUCCESS;
  const auto key = find_key(c, number, owner, &error);
  if (key == nullptr) return error;
  void* found = nullptr;
  *flag = object.attributes.get(number, &found);
  if (*flag) *static_cast<void**>(value) = found;
  return MPI_SUCCESS;
}

}  // namespace

int impl::Comm_create_keyval(call& c, MPI_Comm_copy_attr_function* copy,
                             MPI_Comm_delete_attr_function* remove, int* number, void* extra_state) {
  return create_keyval(c, attribute_owner::communicator, copy, remove, number, extra_state);
}

int impl::Type_create_keyval(call& c, MPI_Type_copy_attr_function* copy,
                             MPI_Type_delete_attr_function* remove, int* number, void* extra_state) {
  return create_keyval(c, attribute_owner::datatype, copy, remove, number, extra_state);
}

int impl::Win_create_keyval(call& c, MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* remove,
                            int* number, void* extra_state) {
  return create_keyval(c, attribute_owner::window, copy, remove, number, extra_state);
}

int impl::Comm_free_keyval(call& c, int* number) {
  return free_keyval(c, attribute_owner::communicator, number);
}

int impl::Type_free_keyval(call& c, int* number) {
  return free_keyval(c, attribute_owner::datatype, number);
}

int impl::Win_free_keyval(call& c, int* number) {
  return free_keyval(c, attribute_owner::window, number);
}

int impl::Comm_set_attr(call& c, communicator& comm, int number, void* value) {
  return set_attribute(c, comm, attribute_owner::communicator, number, value);
}

int impl::Comm_delete_attr(call& c, communicator& comm, int number) {
  return delete_attribute(c, comm, attribute_owner::communicator, number);
}

// Predefined attributes are pointers to integers of the library (MPI §9.1.2). Only MPI_COMM_WORLD,
// and communicators made from it in the world model, have them.
int impl::Comm_get_attr(call& c, communicator& comm, int number, void* value, int* flag) {
  auto& p = c.process();
  if (!predefined_key(number))
    return get_attribute(c, comm, attribute_owner::communicator, number, value, flag);
  const int* found = nullptr;
  switch (number) {
    case MPI_TAG_UB:
      found = &p.predefined.attributes.tag_ub;
      break;
    case MPI_IO:
      found = &p.predefined.attributes.io;
      break;
    case MPI_HOST:
      found = &p.predefined.attributes.host;
      break;
    case MPI_WTIME_IS_GLOBAL:
      found = &p.predefined.attributes.wtime_is_global;
      break;
    case MPI_APPNUM:
      found = &p.predefined.attributes.appnum;
      break;
    case MPI_UNIVERSE_SIZE:
      found = &p.predefined.attributes.universe_size;
      break;
    case MPI_LASTUSEDCODE:
      found = p.errors.last_used_address();
      break;
    default:
      break;
  }
  const bool set = found != nullptr && !((number == MPI_APPNUM || number == MPI_UNIVERSE_SIZE) && *found < 0);
  *flag = set;
  if (set) *static_cast<const int**>(value) = found;
  return MPI_SUCCESS;
}

int impl::Type_set_attr(call& c, datatype& datatype, int number, void* value) {
  return set_attribute(c, datatype, attribute_owner::datatype, number, value);
}

int impl::Type_delete_attr(call& c, datatype& datatype, int number) {
  return delete_attribute(c, datatype, attribute_owner::datatype, number);
}

int impl::Type_get_attr(call& c, datatype& datatype, int number, void* value, int* flag) {
  return get_attribute(c, datatype, attribute_owner::datatype, number, value, flag);
}

int impl::Win_set_attr(call& c, window& win, int number, void* value) {
  return set_attribute(c, win, attribute_owner::window, number, value);
}

int impl::Win_delete_attr(call& c, window& win, int number) {
  return delete_attribute(c, win, attribute_owner::window, number);
}

int impl::Win_get_attr(call& c, window& win, int number, void* value, int* flag) {
  void* found = nullptr;
  switch (number) {
    case MPI_WIN_BASE:  // the address itself, and pointers to the others (MPI §12.2.6)
      found = win.shape.base;
      break;
    case MPI_WIN_SIZE:
      found = &win.shape.size;
      break;
    case MPI_WIN_DISP_UNIT:
      found = &win.shape.unit;
      break;
    case MPI_WIN_CREATE_FLAVOR:
      found = &win.shape.flavor;
      break;
    case MPI_WIN_MODEL:
      found = &win.shape.model;
      break;
    default:
      return get_attribute(c, win, attribute_owner::window, number, value, flag);
  }
  *flag = 1;
  *static_cast<void**>(value) = found;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
