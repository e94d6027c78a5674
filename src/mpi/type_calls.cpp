// Commit, free, names, extents; how a datatype was made (MPI §5.1.5 – §5.1.13).
#include <cstring>
#include <vector>

#include "mpi/generated/impl.hpp"
#include "mpi/object_name.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

int impl::Type_commit(call& c, datatype& datatype) {
  const base::status s = datatype.core()->commit();
  if (s.ok()) return MPI_SUCCESS;
  return c.fail(s.kind == base::code::no_memory ? MPI_ERR_NO_MEM : MPI_ERR_TYPE,
                "the datatype cannot be compiled: {}", s.what);
}

// Handle, name and attributes are gone at once. Operations under way keep the layout alive.
int impl::Type_free(call& c, datatype& datatype) {
  if (datatype.predefined()) {
    return c.fail(MPI_ERR_TYPE,
                  "argument 1 (datatype) is a predefined datatype; expected one that the program has made");
  }
  if (const int code = datatype.attributes.clear(datatype.handle())) {
    return c.fail(code, "a delete function of an attribute of the datatype returned {}", code);
  }
  c.handles().types.remove(datatype.handle());
  type_handles::forget(*datatype.core(), datatype.handle());
  delete &datatype;
  return MPI_SUCCESS;
}

int impl::Type_set_name(call&, datatype& datatype, const char* name) {
  datatype.set_name(kept_name(name));
  return MPI_SUCCESS;
}

// The null handle has a name, too (MPI §7.8).
int impl::Type_get_name(call& c, MPI_Datatype type, char* name, int* length) {
  datatype* found = c.handles().types.find(type);
  if (found == nullptr && type != MPI_DATATYPE_NULL) {
    return c.fail(
        MPI_ERR_TYPE,
        "argument 1 (datatype) is {:#x}; expected a live handle of type MPI_Datatype, or MPI_DATATYPE_NULL",
        static_cast<std::uintptr_t>(handle_bits(type)));
  }
  const std::string text = found == nullptr ? "MPI_DATATYPE_NULL" : found->name();
  std::memcpy(name, text.c_str(), text.size() + 1);
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

int impl::Type_size(call&, datatype& datatype, std::int64_t* size) {
  *size = datatype.core()->size();
  return MPI_SUCCESS;
}

int impl::Type_get_extent(call&, datatype& datatype, std::int64_t* lb, std::int64_t* extent) {
  *lb = datatype.core()->lower_bound();
  *extent = datatype.core()->extent();
  return MPI_SUCCESS;
}

int impl::Type_get_true_extent(call&, datatype& datatype, std::int64_t* lb, std::int64_t* extent) {
  *lb = datatype.core()->true_lower_bound();
  *extent = datatype.core()->true_extent();
  return MPI_SUCCESS;
}

// --- envelope and contents ---

int impl::Type_get_envelope(call& c, datatype& datatype, std::int64_t* integers, std::int64_t* addresses,
                            std::int64_t* datatypes, int* combiner) {
  const auto e = datatype.core()->envelope();
  if (e.large_counts != 0) {
    return c.fail(
        MPI_ERR_TYPE,
        "the datatype was made by a constructor with large counts; expected MPI_Type_get_envelope_c");
  }
  *integers = e.integers;
  *addresses = e.addresses;
  *datatypes = e.datatypes;
  *combiner = static_cast<int>(e.kind);
  return MPI_SUCCESS;
}

int impl::Type_get_envelope_c(call&, datatype& datatype, std::int64_t* integers, std::int64_t* addresses,
                              std::int64_t* large_counts, std::int64_t* datatypes, int* combiner) {
  const auto e = datatype.core()->envelope();
  *integers = e.integers;
  *addresses = e.addresses;
  *large_counts = e.large_counts;
  *datatypes = e.datatypes;
  *combiner = static_cast<int>(e.kind);
  return MPI_SUCCESS;
}

namespace {

struct capacity {
  std::int64_t integers, addresses, large_counts, datatypes;
};

int contents(call& c, datatype& datatype, const capacity& max, int* integers, MPI_Aint* addresses,
             MPI_Count* large_counts, MPI_Datatype* handles) {
  const loadstone::datatype::type& core = *datatype.core();
  const auto e = core.envelope();
  if (e.kind == loadstone::datatype::combiner::named) {
    return c.fail(MPI_ERR_TYPE,
                  "argument 1 (datatype) is a named predefined datatype, which has no contents");
  }
  if (max.integers < e.integers || max.addresses < e.addresses || max.large_counts < e.large_counts ||
      max.datatypes < e.datatypes) {
    return c.fail(MPI_ERR_ARG,
                  "the arrays have room for {} integers, {} addresses, {} large counts, {} datatypes; "
                  "expected {}, {}, {}, {}",
                  max.integers, max.addresses, max.large_counts, max.datatypes, e.integers, e.addresses,
                  e.large_counts, e.datatypes);
  }
  const auto n = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  std::vector<std::int64_t> places(n(e.addresses)), counts(n(e.large_counts));
  std::vector<const loadstone::datatype::type*> types(n(e.datatypes));
  core.contents({integers, n(e.integers)}, places, counts, types);
  for (std::size_t i = 0; i < places.size(); ++i) addresses[i] = static_cast<MPI_Aint>(places[i]);
  for (std::size_t i = 0; i < counts.size(); ++i) large_counts[i] = counts[i];
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i]->predefined()) {
      handles[i] = c.process().layouts.of(*types[i]);
    } else {  // the caller gets a handle of its own, and frees it
      types[i]->acquire();
      handles[i] = new_datatype(c.process(), types[i]);
    }
  }
  return MPI_SUCCESS;
}

}  // namespace

int impl::Type_get_contents(call& c, datatype& datatype, std::int64_t max_integers,
                            std::int64_t max_addresses, std::int64_t max_datatypes, int integers[],
                            MPI_Aint addresses[], MPI_Datatype datatypes[]) {
  return contents(c, datatype, {max_integers, max_addresses, 0, max_datatypes}, integers, addresses, nullptr,
                  datatypes);
}

int impl::Type_get_contents_c(call& c, datatype& datatype, std::int64_t max_integers,
                              std::int64_t max_addresses, std::int64_t max_large_counts,
                              std::int64_t max_datatypes, int integers[], MPI_Aint addresses[],
                              MPI_Count large_counts[], MPI_Datatype datatypes[]) {
  return contents(c, datatype, {max_integers, max_addresses, max_large_counts, max_datatypes}, integers,
                  addresses, large_counts, datatypes);
}

int impl::Get_address(call&, const void* location, std::int64_t* address) {
  *address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(location));
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
