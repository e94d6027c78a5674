// Views and pointers of files (MPI §14.3, §14.4).
#include <cstring>

#include "mpi/call.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/file.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {
namespace {

// What members tell each other about their views.
struct announcement {
  std::int32_t error = MPI_SUCCESS;
  std::int64_t unit = 0;
  char data[MPI_MAX_DATAREP_STRING] = "";
};

int no_pointer(call& c, const file& f) {
  return c.fail(MPI_ERR_UNSUPPORTED_OPERATION,
                "{}: it was opened with MPI_MODE_SEQUENTIAL, and has a shared pointer only", f.describe());
}

int begun(call& c, const file& f) {
  return c.fail(MPI_ERR_OTHER, "{}: {}_begin has begun; expected its end first", f.describe(), f.split.name);
}

// The view that the arguments describe; null, and the error class in *error.
std::shared_ptr<const io::view> make_view(call& c, file& f, std::int64_t disp, const datatype& etype,
                                          const datatype& filetype, const char* name, int* error) {
  if (f.sequential()) {
    // From where the shared pointer is.
    std::int64_t at = 0;
    if (disp != MPI_DISPLACEMENT_CURRENT) {
      *error = c.fail(MPI_ERR_ARG,
                      "{}: argument 2 (disp) is {}; expected MPI_DISPLACEMENT_CURRENT, as it was opened with "
                      "MPI_MODE_SEQUENTIAL",
                      f.describe(), disp);
      return nullptr;
    }
    if (io::trouble why = f.core().shared_position(&at); !why.ok())
      return *error = file_failed(c, f, why), nullptr;
    const auto now = f.core().current_view();
    disp = now->empty() ? now->displacement() : now->offset_of(at * now->unit());
  } else if (disp < 0) {
    *error = c.fail(MPI_ERR_ARG, "{}: argument 2 (disp) is {}; expected at least 0", f.describe(), disp);
    return nullptr;
  }
  const auto data = c.process().known_representations.find(name);
  if (data == nullptr) {
    *error =
        c.fail(MPI_ERR_UNSUPPORTED_DATAREP,
               "{}: argument 5 (datarep) is \"{:.127}\"; expected native, internal, external32, or one of "
               "MPI_Register_datarep",
               f.describe(), name);
    return nullptr;
  }
  io::trouble why;
  auto v = io::view::make(disp, *etype.core(), *filetype.core(), data, f.core().writable(), &why);
  if (v == nullptr)
    *error =
        file_failed(c, f, {why.number, "arguments 3 and 4 (etype, filetype): " + why.what}, MPI_ERR_TYPE);
  return v;
}

// The place that `offset` and `whence` mean, from a pointer that is at `now`.
int target_of(call& c, file& f, std::int64_t offset, int whence, std::int64_t now, std::int64_t* place) {
  std::int64_t from = 0;
  if (whence == MPI_SEEK_CUR) {
    from = now;
  } else if (whence == MPI_SEEK_END) {
    if (io::trouble why = f.core().end_in_view(&from); !why.ok()) return file_failed(c, f, why);
  } else if (whence != MPI_SEEK_SET) {
    return c.fail(MPI_ERR_ARG,
                  "{}: argument 3 (whence) is {}; expected MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END",
                  f.describe(), whence);
  }
  if (__builtin_add_overflow(from, offset, place) || *place < 0)
    return c.fail(MPI_ERR_ARG,
                  "{}: argument 2 (offset) is {}, from {}; expected a place behind the beginning of the view",
                  f.describe(), offset, from);
  return MPI_SUCCESS;
}

}  // namespace

int impl::File_set_view(call& c, file& f, std::int64_t disp, datatype& etype, datatype& filetype,
                        const char* datarep, info* info) {
  announcement mine;
  std::shared_ptr<const io::view> v;
  if (f.split.operation != nullptr)
    mine.error = begun(c, f);
  else
    v = make_view(c, f, disp, etype, filetype, datarep, &mine.error);
  if (v != nullptr) {
    mine.unit = v->unit();
    std::strncpy(mine.data, datarep, sizeof mine.data - 1);
  }
  std::vector<announcement> all(static_cast<std::size_t>(f.comm().size()));
  if (const int e = f.together(c).allgather(&mine, sizeof mine, all.data()))
    return file_failed(c, f, {-e, "the processes that opened the file could not reach each other"});
  if (mine.error != MPI_SUCCESS) return mine.error;
  for (int i = 0; i < f.comm().size(); ++i) {
    const announcement& other = all[static_cast<std::size_t>(i)];
    if (other.error != MPI_SUCCESS)
      return c.fail(other.error, "{}: rank {} has no view, for an error in its arguments", f.describe(), i);
    if (other.unit != mine.unit)
      return c.fail(
          MPI_ERR_NOT_SAME,
          "{}: argument 3 (etype) has {} bytes in the file here, and {} at rank {}; expected the same at all "
          "ranks",
          f.describe(), mine.unit, other.unit, i);
    if (std::strcmp(other.data, mine.data) != 0)
      return c.fail(
          MPI_ERR_NOT_SAME,
          "{}: argument 5 (datarep) is \"{}\" here, and \"{}\" at rank {}; expected the same at all ranks",
          f.describe(), mine.data, other.data, i);
  }
  if (info != nullptr) f.hints.take(info->content());
  f.core().set_hints(f.hints.effect());
  const io::trouble why = f.core().set_view(f.together(c), std::move(v));
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

// Types that the program has made come as handles of their own, to be freed.
int impl::File_get_view(call& c, file& f, std::int64_t* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                        char* datarep) {
  const auto v = f.core().current_view();
  const auto handle_of = [&c](const loadstone::datatype::type& t) {
    if (t.predefined()) return c.process().layouts.of(t);
    t.acquire();
    return new_datatype(c.process(), &t);
  };
  *disp = v->displacement();
  *etype = handle_of(v->etype());
  *filetype = handle_of(v->filetype());
  if (*etype == MPI_DATATYPE_NULL || *filetype == MPI_DATATYPE_NULL)
    return c.fail(MPI_ERR_OTHER, "no more datatype handles are free");
  std::strcpy(datarep, v->data().name().c_str());
  return MPI_SUCCESS;
}

int impl::File_seek(call& c, file& f, std::int64_t offset, int whence) {
  if (f.sequential()) return no_pointer(c, f);
  std::int64_t place = 0;
  if (const int error = target_of(c, f, offset, whence, f.core().position(), &place)) return error;
  f.core().seek(place);
  return MPI_SUCCESS;
}

int impl::File_get_position(call& c, file& f, std::int64_t* offset) {
  if (f.sequential()) return no_pointer(c, f);
  *offset = f.core().position();
  return MPI_SUCCESS;
}

int impl::File_get_byte_offset(call& c, file& f, std::int64_t offset, std::int64_t* disp) {
  if (f.sequential()) return no_pointer(c, f);
  const auto v = f.core().current_view();
  std::int64_t position = 0;
  if (offset < 0 || __builtin_mul_overflow(offset, v->unit(), &position) ||
      (!v->empty() && (position == INT64_MAX || !v->reaches(position + 1))))
    return c.fail(MPI_ERR_ARG,
                  "{}: argument 2 (offset) is {}; expected at least 0, and bytes that 64 bits count",
                  f.describe(), offset);
  *disp = v->offset_of(position);
  return MPI_SUCCESS;
}

int impl::File_seek_shared(call& c, file& f, std::int64_t offset, int whence) {
  if (f.sequential())
    return c.fail(MPI_ERR_UNSUPPORTED_OPERATION, "{}: it was opened with MPI_MODE_SEQUENTIAL", f.describe());
  struct wish {
    std::int64_t offset, whence;
    bool operator==(const wish&) const = default;
  } mine{offset, whence};
  std::vector<wish> all(static_cast<std::size_t>(f.comm().size()));
  if (const int e = f.together(c).allgather(&mine, sizeof mine, all.data()))
    return file_failed(c, f, {-e, "the processes that opened the file could not reach each other"});
  for (int i = 0; i < f.comm().size(); ++i) {
    if (const wish& other = all[static_cast<std::size_t>(i)]; other != mine)
      return c.fail(
          MPI_ERR_NOT_SAME,
          "{}: arguments 2 and 3 (offset, whence) are {} and {} here, and {} and {} at rank {}; expected the "
          "same at all ranks",
          f.describe(), offset, whence, other.offset, other.whence, i);
  }
  std::int64_t now = 0, place = 0;
  if (io::trouble why = f.core().shared_position(&now); !why.ok()) return file_failed(c, f, why);
  if (const int error = target_of(c, f, offset, whence, now, &place)) return error;
  const io::trouble why = f.core().seek_shared(f.together(c), place);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

int impl::File_get_position_shared(call& c, file& f, std::int64_t* offset) {
  const io::trouble why = f.core().shared_position(offset);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

// The extent in the representation of the file's view.
int impl::File_get_type_extent(call& c, file& f, datatype& datatype, std::int64_t* extent) {
  io::trouble why;
  const auto* t = io::in_file(*datatype.core(), f.core().current_view()->data(), &why);
  if (t == nullptr)
    return file_failed(c, f, {why.number, "argument 2 (datatype): " + why.what}, MPI_ERR_TYPE);
  *extent = t->extent();
  t->release();
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
