#include "mpi/call.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "mpi/check_arrays.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/raise.hpp"
#include "mpi/session.hpp"
#include "mpi/window.hpp"

namespace loadstone::mpi {
namespace {

// A handle for a message to the user: its predefined name, or the number.
std::string show_handle(const char* type, std::intptr_t bits) {
  if (const char* known = predefined_name(type, bits)) return known;
  return fmt::format("{:#x}", static_cast<std::uintptr_t>(bits));
}

void tell_of_spawn(std::string_view name) {
  static std::atomic_flag told;
  // relaxed: the first thread prints; nothing else depends on it
  if (told.test_and_set(std::memory_order_relaxed)) return;
  fmt::print(stderr,
             "Loadstone: {} failed: this version starts no processes. A program that goes on all the same "
             "may wait for them for ever. The workers of mpi4py.futures can be started with the program: "
             "mpiexec -n 4 python -m mpi4py.futures program.py\n",
             name);
}

}  // namespace

int call::record(int error_class, fmt::string_view text, fmt::format_args args) {
  error_detail& detail = last_error_detail();
  detail.error_class = error_class;
  std::string out = fmt::format("{}: ", name());
  if (target_ >= 0) out += fmt::format("target {}: ", target_);
  if (target_ == MPI_PROC_NULL) out += "target MPI_PROC_NULL: ";
  out += fmt::vformat(text, args);
  if (window_ != nullptr) out += ". " + window_->epochs.describe();
  const std::size_t length = std::min(out.size(), sizeof detail.text - 1);
  std::memcpy(detail.text, out.data(), length);
  detail.text[length] = '\0';
  return error_class;
}

int call::raise(int code) {
  const target object{communicator_, session_, window_, file_, on_file_, given_};
  const int result = raise_error(process_, function_, object, code);
  if (releases_) {
    releases_ = false;
    process_.release(given_);
    given_ = nullptr;
  }
  return result;
}

int call::outside() {
  const bool before = process_.state() == phase::before_init;
  return raise(fail(MPI_ERR_OTHER, "called {}", before ? "before MPI_Init" : "after MPI_Finalize"));
}

int call::unsupported() {
  const int code = raise(fail(MPI_ERR_UNSUPPORTED_OPERATION, "not implemented in this version of Loadstone"));
  // Spawning is not implemented. Programs often call it in one thread and wait for the new
  // processes in another, whatever the call returns: so say it on standard error as well.
  if (function_ == function::Comm_spawn || function_ == function::Comm_spawn_multiple) tell_of_spawn(name());
  return code;
}

int call::wrong_handle(int error_class, int position, const char* argument, const char* type,
                       std::intptr_t bits, int index) {
  const std::string where = index < 0 ? "" : fmt::format("[{}]", index);
  return raise(fail(error_class, "argument {} ({}{}) is {}; expected a live handle of type {}", position,
                    argument, where, show_handle(type, bits), type));
}

int call::wrong_errhandler(int position, const char* argument, const char* object) {
  return raise(fail(MPI_ERR_ARG,
                    "argument {} ({}) was made for another kind of object; expected one for a {}", position,
                    argument, object));
}

int call::predefined_handle(int error_class, int position, const char* argument, const char* type,
                            std::intptr_t bits) {
  return raise(fail(error_class,
                    "argument {} ({}) is {}, which is predefined; expected one that the program has made",
                    position, argument, show_handle(type, bits)));
}

int call::not_committed(int position, const char* argument, MPI_Datatype handle, int index) {
  const std::string where = index < 0 ? "" : fmt::format("[{}]", index);
  return raise(
      fail(MPI_ERR_TYPE,
           "argument {} ({}{}) is datatype {}, which is not committed; expected MPI_Type_commit before",
           position, argument, where, show_handle("MPI_Datatype", handle_bits(handle))));
}

int call::wrong_op(int position, const char* argument, MPI_Op op, MPI_Datatype type) {
  if (op == MPI_REPLACE || op == MPI_NO_OP) {
    return raise(fail(MPI_ERR_OP, "argument {} ({}) is {}, which is for one-sided calls only", position,
                      argument, show_handle("MPI_Op", handle_bits(op))));
  }
  return raise(fail(MPI_ERR_OP, "argument {} ({}) is {}, which is not defined on datatype {}", position,
                    argument, show_handle("MPI_Op", handle_bits(op)),
                    show_handle("MPI_Datatype", handle_bits(type))));
}

int call::no_address(int position, const char* argument, std::uintptr_t bits) {
  const std::string value = bits == 0 ? "a null pointer" : fmt::format("{:#x}", bits);
  return raise(fail(MPI_ERR_ARG, "argument {} ({}) is {}; expected an address", position, argument, value));
}

int call::wrong_number(int error_class, int position, const char* argument, std::int64_t value,
                       const char* expected) {
  return raise(fail(error_class, "argument {} ({}) is {}; expected {}", position, argument, value, expected));
}

int call::wrong_source(int position, const char* argument, int value, int size) {
  if (value == MPI_ANY_SOURCE) {
    return raise(fail(MPI_ERR_RANK,
                      "argument {} ({}) is MPI_ANY_SOURCE, and the communicator's hint "
                      "mpi_assert_no_any_source is true; expected a rank from 0 to {}, or MPI_PROC_NULL",
                      position, argument, size - 1));
  }
  return wrong_rank(MPI_ERR_RANK, position, argument, value, size, ", MPI_ANY_SOURCE or MPI_PROC_NULL");
}

int call::wrong_receive_tag(int position, const char* argument, int value) {
  if (value == MPI_ANY_TAG) {
    return raise(fail(MPI_ERR_TAG,
                      "argument {} ({}) is MPI_ANY_TAG, and the communicator's hint mpi_assert_no_any_tag is "
                      "true; expected 0 to 2147483647 (MPI_TAG_UB)",
                      position, argument));
  }
  return wrong_number(MPI_ERR_TAG, position, argument, value, "0 to 2147483647 (MPI_TAG_UB), or MPI_ANY_TAG");
}

int call::wrong_element(int error_class, int position, const char* argument, int index, std::int64_t value,
                        const char* expected) {
  return raise(fail(error_class, "argument {} ({}[{}]) is {}; expected {}", position, argument, index, value,
                    expected));
}

int call::wrong_rank(int error_class, int position, const char* argument, int value, int size,
                     const char* also) {
  const char* known = value == MPI_ANY_SOURCE  ? " (MPI_ANY_SOURCE)"
                      : value == MPI_PROC_NULL ? " (MPI_PROC_NULL)"
                      : value == MPI_ROOT      ? " (MPI_ROOT)"
                      : value == MPI_UNDEFINED ? " (MPI_UNDEFINED)"
                                               : "";
  return raise(fail(error_class, "argument {} ({}) is {}{}; expected a rank from 0 to {}{}", position,
                    argument, value, known, size - 1, also));
}

int call::misplaced_in_place(int position, const char* argument) {
  return raise(fail(MPI_ERR_BUFFER, "argument {} ({}) is MPI_IN_PLACE, which is not allowed here", position,
                    argument));
}

int call::aliased(int position, const char* argument, int other_position, const char* other,
                  const void* address) {
  return raise(fail(MPI_ERR_BUFFER,
                    "arguments {} ({}) and {} ({}) are the same buffer, {}; expected two that do not "
                    "overlap, or MPI_IN_PLACE",
                    position, argument, other_position, other, static_cast<const void*>(address)));
}

int call::too_many(int position, const char* argument, std::int64_t value, std::int64_t times,
                   const datatype& type, std::int64_t index) {
  const std::string where = index < 0 ? "" : fmt::format("[{}]", index);
  const std::string each = times > 1 ? fmt::format(", {} times", times) : "";
  const auto& t = *type.core();
  return raise(
      fail(MPI_ERR_COUNT,
           "argument {} ({}{}) is {}; expected at most {}: so many elements of {} bytes, {} from one to "
           "the next{}, are more than 64 bits count",
           position, argument, where, value, t.most() / std::max<std::int64_t>(times, 1), t.size(),
           t.extent(), each));
}

int call::too_large(int position, const char* argument, std::int64_t value) {
  return raise(fail(MPI_ERR_VALUE_TOO_LARGE,
                    "the result for argument {} ({}) is {}, more than an int holds; use {}_c", position,
                    argument, value, name()));
}

int wrong_sum(call& c, const datatype& type, int position, const char* argument, std::int64_t index,
              std::int64_t value, std::int64_t before) {
  if (value > type.core()->most()) return c.too_many(position, argument, value, 1, type, index);
  return c.raise(
      c.fail(MPI_ERR_COUNT,
             "argument {} ({}[{}]) is {}, after {} in all; expected at most {} in all, of {} bytes each",
             position, argument, index, value, before,
             std::numeric_limits<std::int64_t>::max() / type.core()->size(), type.core()->size()));
}

int check_types(call& c, const MPI_Datatype* types, std::int64_t length, bool committed, int position,
                const char* argument) {
  if (length > 0 && no_address(types)) [[unlikely]]
    return c.no_address(position, argument, bits_of(types));
  for (std::int64_t i = 0; i < length; ++i) {
    const datatype* type = c.handles().types.find(types[i]);
    if (type == nullptr) [[unlikely]] {
      return c.wrong_handle(MPI_ERR_TYPE, position, argument, "MPI_Datatype", handle_bits(types[i]),
                            static_cast<int>(i));
    }
    if (committed && !type->committed()) [[unlikely]]
      return c.not_committed(position, argument, types[i], static_cast<int>(i));
  }
  return MPI_SUCCESS;
}

int caught(function f) {
  call c(f);
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return c.raise(c.fail(MPI_ERR_NO_MEM, "out of memory"));
  } catch (const std::exception& e) {
    return c.raise(c.fail(MPI_ERR_INTERN, "internal error: {}", e.what()));
  } catch (...) {
    return c.raise(c.fail(MPI_ERR_INTERN, "internal error"));
  }
}

}  // namespace loadstone::mpi
