// MPI_Register_datarep: representations by functions of the program (MPI §14.5.3).
#include "mpi/representations.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "io/file.hpp"
#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {
namespace {

// `Function`: the form with int counts, or the large one.
template <class Function>
class by_functions final : public io::representation {
 public:
  by_functions(process& p, std::string name, Function* read, Function* write,
               MPI_Datarep_extent_function* extent, void* extra)
      : representation(std::move(name)),
        process_(p),
        read_(read),
        write_(write),
        extent_(extent),
        extra_(extra) {}

  bool as_in_memory() const override { return false; }
  std::int64_t bytes_of(const loadstone::datatype::type& named) const override {
    MPI_Aint bytes = 0;
    return extent_(process_.layouts.of(named), &bytes, extra_) == MPI_SUCCESS ? bytes : -1;
  }
  // Without a function the data is as in memory.
  io::trouble to_file(const void* address, std::int64_t count, const loadstone::datatype::type& t,
                      std::byte* file) const override {
    if (write_ == nullptr) {
      if (io::trouble why = fits(count, t); !why.ok()) return why;
      return representation::to_file(address, count, t, file);
    }
    return convert(write_, const_cast<void*>(address), count, t, file);
  }
  io::trouble from_file(void* address, std::int64_t count, const loadstone::datatype::type& t,
                        const std::byte* file) const override {
    if (read_ == nullptr) {
      if (io::trouble why = fits(count, t); !why.ok()) return why;
      return representation::from_file(address, count, t, file);
    }
    return convert(read_, address, count, t, const_cast<std::byte*>(file));
  }

 private:
  using number =
      std::conditional_t<std::is_same_v<Function, MPI_Datarep_conversion_function>, int, MPI_Count>;
  // Has the data as many bytes in the file as in memory, if nothing converts it?
  io::trouble fits(std::int64_t count, const loadstone::datatype::type& t) const {
    io::trouble why;
    const std::int64_t bytes = io::bytes_in_file({nullptr, count, &t}, *this, &why);
    if (bytes < 0 || bytes == count * t.size()) return why;
    return {ECANCELED, "data representation " + name() +
                           " has no function for this conversion, and other extents than memory"};
  }
  // Items are the named types that the data is made of: the function lays out a derived type again
  // and again. An int may not count them all; then it is called several times, each for all items
  // from a position on, whose place in the file is as far on as that many items are long.
  io::trouble convert(Function* function, void* address, std::int64_t count,
                      const loadstone::datatype::type& t, std::byte* file) const {
    const bool pair = t.single_named().index != loadstone::datatype::basic::none;
    const std::int64_t items = count * (pair ? t.basic_elements() / 2 : t.basic_elements());
    const std::int64_t at_once = std::is_same_v<Function, MPI_Datarep_conversion_function> ? INT_MAX : items;
    io::trouble why;
    const std::int64_t bytes = io::bytes_in_file({address, count, &t}, *this, &why);
    if (bytes < 0) return why;
    const MPI_Datatype handle = process_.layouts.of(t);
    for (std::int64_t done = 0; done < items; done += at_once) {
      const std::int64_t n = std::min(items - done, at_once);
      const int code =
          function(address, handle, static_cast<number>(n), file + bytes / items * done, done, extra_);
      if (code != MPI_SUCCESS)
        return {ECANCELED, "a conversion function of data representation " + name() + " returned " +
                               std::to_string(code)};
    }
    return {};
  }
  process& process_;
  Function* const read_;
  Function* const write_;
  MPI_Datarep_extent_function* const extent_;
  void* const extra_;
};

template <class Function>
int enter(call& c, const char* name, Function* read, Function* write, MPI_Datarep_extent_function* extent,
          void* extra) {
  const std::size_t length = std::strlen(name);
  if (length == 0 || length >= MPI_MAX_DATAREP_STRING)
    return c.fail(MPI_ERR_ARG, "argument 1 (datarep) has {} characters; expected 1 to {}", length,
                  MPI_MAX_DATAREP_STRING - 1);
  if (c.process().known_representations.find(name) != nullptr)
    return c.fail(MPI_ERR_DUP_DATAREP,
                  "argument 1 (datarep) is \"{}\", which exists already; expected a new name", name);
  c.process().known_representations.add(
      std::make_shared<by_functions<Function>>(c.process(), name, read, write, extent, extra));
  return MPI_SUCCESS;
}

}  // namespace

int impl::Register_datarep(call& c, const char* datarep, MPI_Datarep_conversion_function* read_conversion_fn,
                           MPI_Datarep_conversion_function* write_conversion_fn,
                           MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  return enter(c, datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}

int impl::Register_datarep_c(call& c, const char* datarep,
                             MPI_Datarep_conversion_function_c* read_conversion_fn,
                             MPI_Datarep_conversion_function_c* write_conversion_fn,
                             MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  return enter(c, datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}

}  // namespace loadstone::mpi
