#include "mpi/errors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace loadstone::mpi {
namespace {

struct class_entry {
  int number;
  std::string_view name, text;
};

#define LOADSTONE_CLASS(name, text) {name, #name, text}
constexpr class_entry classes[] = {
    LOADSTONE_CLASS(MPI_SUCCESS, "no error"),
    LOADSTONE_CLASS(MPI_ERR_BUFFER, "invalid buffer"),
    LOADSTONE_CLASS(MPI_ERR_COUNT, "invalid count"),
    LOADSTONE_CLASS(MPI_ERR_TYPE, "invalid datatype"),
    LOADSTONE_CLASS(MPI_ERR_TAG, "invalid tag"),
    LOADSTONE_CLASS(MPI_ERR_COMM, "invalid communicator"),
    LOADSTONE_CLASS(MPI_ERR_RANK, "invalid rank"),
    LOADSTONE_CLASS(MPI_ERR_REQUEST, "invalid request"),
    LOADSTONE_CLASS(MPI_ERR_ROOT, "invalid root"),
    LOADSTONE_CLASS(MPI_ERR_GROUP, "invalid group"),
    LOADSTONE_CLASS(MPI_ERR_OP, "invalid operation"),
    LOADSTONE_CLASS(MPI_ERR_TOPOLOGY, "invalid topology"),
    LOADSTONE_CLASS(MPI_ERR_DIMS, "invalid dimensions"),
    LOADSTONE_CLASS(MPI_ERR_ARG, "invalid argument"),
    LOADSTONE_CLASS(MPI_ERR_UNKNOWN, "unknown error"),
    LOADSTONE_CLASS(MPI_ERR_TRUNCATE, "message truncated on receive"),
    LOADSTONE_CLASS(MPI_ERR_OTHER, "known error not in this list"),
    LOADSTONE_CLASS(MPI_ERR_INTERN, "internal error"),
    LOADSTONE_CLASS(MPI_ERR_PENDING, "pending request"),
    LOADSTONE_CLASS(MPI_ERR_IN_STATUS, "the error code is in the status"),
    LOADSTONE_CLASS(MPI_ERR_ACCESS, "permission denied"),
    LOADSTONE_CLASS(MPI_ERR_AMODE, "invalid access mode"),
    LOADSTONE_CLASS(MPI_ERR_ASSERT, "invalid assertion"),
    LOADSTONE_CLASS(MPI_ERR_BAD_FILE, "invalid file name"),
    LOADSTONE_CLASS(MPI_ERR_BASE, "invalid base address"),
    LOADSTONE_CLASS(MPI_ERR_CONVERSION, "error in a data conversion function"),
    LOADSTONE_CLASS(MPI_ERR_DISP, "invalid displacement"),
    LOADSTONE_CLASS(MPI_ERR_DUP_DATAREP, "data representation is already defined"),
    LOADSTONE_CLASS(MPI_ERR_FILE_EXISTS, "file exists"),
    LOADSTONE_CLASS(MPI_ERR_FILE_IN_USE, "file is in use"),
    LOADSTONE_CLASS(MPI_ERR_FILE, "invalid file handle"),
    LOADSTONE_CLASS(MPI_ERR_INFO_KEY, "invalid info key"),
    LOADSTONE_CLASS(MPI_ERR_INFO_NOKEY, "info key is not defined"),
    LOADSTONE_CLASS(MPI_ERR_INFO_VALUE, "invalid info value"),
    LOADSTONE_CLASS(MPI_ERR_INFO, "invalid info object"),
    LOADSTONE_CLASS(MPI_ERR_IO, "input or output error"),
    LOADSTONE_CLASS(MPI_ERR_KEYVAL, "invalid key value of an attribute"),
    LOADSTONE_CLASS(MPI_ERR_LOCKTYPE, "invalid lock type"),
    LOADSTONE_CLASS(MPI_ERR_NAME, "service name is not published"),
    LOADSTONE_CLASS(MPI_ERR_NO_MEM, "out of memory"),
    LOADSTONE_CLASS(MPI_ERR_NOT_SAME, "collective argument differs between processes"),
    LOADSTONE_CLASS(MPI_ERR_NO_SPACE, "not enough space"),
    LOADSTONE_CLASS(MPI_ERR_NO_SUCH_FILE, "file does not exist"),
    LOADSTONE_CLASS(MPI_ERR_PORT, "invalid port"),
    LOADSTONE_CLASS(MPI_ERR_QUOTA, "quota exceeded"),
    LOADSTONE_CLASS(MPI_ERR_READ_ONLY, "file or file system is read-only"),
    LOADSTONE_CLASS(MPI_ERR_RMA_ATTACH, "memory cannot be attached"),
    LOADSTONE_CLASS(MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window"),
    LOADSTONE_CLASS(MPI_ERR_RMA_RANGE, "target memory is not part of the window"),
    LOADSTONE_CLASS(MPI_ERR_RMA_SHARED, "memory cannot be shared"),
    LOADSTONE_CLASS(MPI_ERR_RMA_SYNC, "wrong synchronisation of one-sided calls"),
    LOADSTONE_CLASS(MPI_ERR_SERVICE, "invalid service name"),
    LOADSTONE_CLASS(MPI_ERR_SIZE, "invalid size"),
    LOADSTONE_CLASS(MPI_ERR_SPAWN, "processes could not be spawned"),
    LOADSTONE_CLASS(MPI_ERR_UNSUPPORTED_DATAREP, "unsupported data representation"),
    LOADSTONE_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, "unsupported operation"),
    LOADSTONE_CLASS(MPI_ERR_WIN, "invalid window"),
    LOADSTONE_CLASS(MPI_ERR_RMA_FLAVOR, "wrong flavor of window"),
    LOADSTONE_CLASS(MPI_ERR_PROC_ABORTED, "a peer process has aborted"),
    LOADSTONE_CLASS(MPI_ERR_VALUE_TOO_LARGE, "value is too large to store"),
    LOADSTONE_CLASS(MPI_ERR_SESSION, "invalid session"),
    LOADSTONE_CLASS(MPI_ERR_ERRHANDLER, "invalid error handler"),
    LOADSTONE_CLASS(MPI_ERR_ABI, "the ABI does not allow it"),
    LOADSTONE_CLASS(MPI_T_ERR_CANNOT_INIT, "tool interface cannot be initialised"),
    LOADSTONE_CLASS(MPI_T_ERR_NOT_ACCESSIBLE, "tool interface is not accessible"),
    LOADSTONE_CLASS(MPI_T_ERR_NOT_INITIALIZED, "tool interface is not initialised"),
    LOADSTONE_CLASS(MPI_T_ERR_NOT_SUPPORTED, "not supported by the tool interface"),
    LOADSTONE_CLASS(MPI_T_ERR_MEMORY, "tool interface is out of memory"),
    LOADSTONE_CLASS(MPI_T_ERR_INVALID, "invalid use of the tool interface"),
    LOADSTONE_CLASS(MPI_T_ERR_INVALID_INDEX, "invalid index"),
    LOADSTONE_CLASS(MPI_T_ERR_INVALID_ITEM, "invalid item index"),
    LOADSTONE_CLASS(MPI_T_ERR_INVALID_SESSION, "invalid tool session"),
    LOADSTONE_CLASS(MPI_T_ERR_INVALID_HANDLE, "invalid tool handle"),
    LOADSTONE_CLASS(MPI_T_ERR_INVALID_NAME, "invalid name"),
    LOADSTONE_CLASS(MPI_T_ERR_OUT_OF_HANDLES, "no more tool handles"),
    LOADSTONE_CLASS(MPI_T_ERR_OUT_OF_SESSIONS, "no more tool sessions"),
    LOADSTONE_CLASS(MPI_T_ERR_CVAR_SET_NOT_NOW, "control variable cannot be set now"),
    LOADSTONE_CLASS(MPI_T_ERR_CVAR_SET_NEVER, "control variable cannot be set"),
    LOADSTONE_CLASS(MPI_T_ERR_PVAR_NO_WRITE, "performance variable cannot be written or reset"),
    LOADSTONE_CLASS(MPI_T_ERR_PVAR_NO_STARTSTOP, "performance variable cannot be started or stopped"),
    LOADSTONE_CLASS(MPI_T_ERR_PVAR_NO_ATOMIC, "performance variable cannot be read and written atomically"),
    LOADSTONE_CLASS(MPI_ERR_LASTCODE, "last predefined error code"),
};
#undef LOADSTONE_CLASS

const class_entry* find_class(int number) {
  const auto* found = std::lower_bound(std::begin(classes), std::end(classes), number,
                                       [](const class_entry& c, int n) { return c.number < n; });
  return found != std::end(classes) && found->number == number ? found : nullptr;
}

}  // namespace

std::string_view class_name(int error_class) {
  const class_entry* c = find_class(error_class);
  return c == nullptr ? std::string_view() : c->name;
}

std::string_view class_text(int error_class) {
  const class_entry* c = find_class(error_class);
  return c == nullptr ? std::string_view("unknown error code") : c->text;
}

error_detail& last_error_detail() {
  thread_local error_detail detail;
  return detail;
}

int error_registry::last_used() const {
  const std::lock_guard guard(lock_);
  return last_used_;
}

bool error_registry::exists(int code) const {
  if (find_class(code) != nullptr) return true;
  const std::lock_guard guard(lock_);
  return entries_.contains(code);
}

int error_registry::class_of(int code) const {
  if (find_class(code) != nullptr) return code;
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(code);
  return found == entries_.end() ? MPI_ERR_UNKNOWN : found->second.error_class;
}

std::string error_registry::text(int code) const {
  if (const class_entry* c = find_class(code)) return fmt::format("{}: {}", c->name, c->text);
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(code);
  if (found == entries_.end()) return fmt::format("{} is not an error code", code);
  return found->second.text;  // empty unless the user has given one (MPI §9.5)
}

// No code is used twice, so that MPI_LASTUSEDCODE never falls.
int error_registry::next() {
  return ++last_used_;
}

int error_registry::add_class() {
  const std::lock_guard guard(lock_);
  const int number = next();
  entries_[number] = {number, "", false};
  return number;
}

int error_registry::add_code(int error_class) {
  const std::lock_guard guard(lock_);
  const int number = next();
  entries_[number] = {error_class, "", false};
  return number;
}

bool error_registry::set_text(int code, std::string_view text) {
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(code);
  if (found == entries_.end()) return false;
  found->second.text = text;
  found->second.has_text = true;
  return true;
}

error_registry::removal error_registry::remove_class(int error_class) {
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(error_class);
  if (found == entries_.end() || found->second.error_class != error_class) return removal::unknown;
  for (const auto& [code, e] : entries_) {
    if (code != error_class && e.error_class == error_class) return removal::in_use;
  }
  if (found->second.has_text) return removal::in_use;
  entries_.erase(found);
  return removal::done;
}

error_registry::removal error_registry::remove_code(int code) {
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(code);
  if (found == entries_.end() || found->second.error_class == code) return removal::unknown;
  if (found->second.has_text) return removal::in_use;
  entries_.erase(found);
  return removal::done;
}

error_registry::removal error_registry::remove_text(int code) {
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(code);
  if (found == entries_.end() || !found->second.has_text) return removal::unknown;
  found->second.text.clear();
  found->second.has_text = false;
  return removal::done;
}

}  // namespace loadstone::mpi
