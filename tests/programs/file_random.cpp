// Random programs on a file, against a model: an array of bytes, which every rank keeps by itself, as
// all draw the same random numbers and so know what the others do. Crossed at random: views (with
// holes, interleaved among ranks or common to all, parts of a matrix) × how their types are made ×
// representation × memory type × pointer × call × length × hints × whether processes synchronise
// after an access: if not, each reads and writes what is its own. At the end rank 0 compares the file
// byte by byte.
//
// usage: file_random RANKS [ROUNDS [SEED [FOLDER]]]
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

int rank, size;
std::uint64_t seed, state;
long round_, step;

[[noreturn]] void fail(const char* what, long long a = 0, long long b = 0) {
  std::fprintf(stderr, "file_random: rank %d, seed %llu, round %ld, step %ld: %s (%lld, %lld)\n", rank,
               static_cast<unsigned long long>(seed), round_, step, what, a, b);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

#define CHECK(call)                                           \
  do {                                                        \
    if (const int code = (call); code != MPI_SUCCESS) {       \
      char text[MPI_MAX_ERROR_STRING];                        \
      int length;                                             \
      MPI_Error_string(code, text, &length);                  \
      fail((std::string(#call) + ": " + text).c_str(), code); \
    }                                                         \
  } while (0)

std::uint64_t draw() {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
long below(long n) {
  return static_cast<long>(draw() % static_cast<std::uint64_t>(n));
}

// An etype: `parts` elements of a named type of `width` bytes.
struct element {
  MPI_Datatype named;
  long width, parts;
  long bytes() const { return width * parts; }
};

// What one rank sees: etype k lies at this byte.
struct seen {
  std::vector<long> slots;  // within a tile, ascending
  long tile, displacement, unit;
  long offset(long k) const {
    const long m = static_cast<long>(slots.size());
    return displacement + (k / m) * tile * unit + slots[static_cast<std::size_t>(k % m)] * unit;
  }
};

// Of runs of slots, each a type of its own.
MPI_Datatype make_of_runs(const seen& s, MPI_Datatype etype, bool in_a_struct) {
  std::vector<long> at, lengths;
  for (const long slot : s.slots) {
    if (!at.empty() && at.back() + lengths.back() == slot)
      lengths.back()++;
    else
      at.push_back(slot), lengths.push_back(1);
  }
  std::vector<int> ones(at.size(), 1);
  std::vector<MPI_Aint> where;
  std::vector<MPI_Datatype> runs;
  for (std::size_t i = 0; i < at.size(); ++i) {
    where.push_back(at[i] * s.unit);
    MPI_Datatype run;
    const int n = static_cast<int>(lengths[i]);
    if (n % 2 == 0)  // of two halves
      MPI_Type_create_hvector(2, n / 2, n / 2 * s.unit, etype, &run);
    else
      MPI_Type_contiguous(n, etype, &run);
    runs.push_back(run);
  }
  MPI_Datatype all;
  const int n = static_cast<int>(at.size());
  if (in_a_struct) {
    MPI_Type_create_struct(n, ones.data(), where.data(), runs.data(), &all);
  } else {  // one in the other: the last, then the one before it with all that follows
    MPI_Type_dup(runs.back(), &all);
    for (int i = n - 2; i >= 0; --i) {
      const auto k = static_cast<std::size_t>(i);
      const MPI_Aint two[] = {0, where[k + 1] - where[k]};
      const MPI_Datatype parts[] = {runs[k], all};
      MPI_Datatype next;
      MPI_Type_create_struct(2, ones.data(), two, parts, &next);
      MPI_Type_free(&all);
      all = next;
    }
    const MPI_Aint begin[] = {where[0]};
    MPI_Datatype moved;
    MPI_Type_create_hindexed(1, ones.data(), begin, all, &moved);
    MPI_Type_free(&all);
    all = moved;
  }
  for (MPI_Datatype& run : runs) MPI_Type_free(&run);
  return all;
}

MPI_Datatype make_filetype(const seen& s, MPI_Datatype etype, long how) {
  const int n = static_cast<int>(s.slots.size());
  MPI_Datatype inner, all;
  if (how == 0) {
    std::vector<int> at(s.slots.begin(), s.slots.end());
    MPI_Type_create_indexed_block(n, 1, at.data(), etype, &inner);
  } else if (how == 1) {
    std::vector<MPI_Aint> at;
    std::vector<int> lengths(static_cast<std::size_t>(n), 1);
    for (const long slot : s.slots) at.push_back(slot * s.unit);
    MPI_Type_create_hindexed(n, lengths.data(), at.data(), etype, &inner);
  } else if (how == 2) {  // runs of slots
    std::vector<int> at, lengths;
    for (const long slot : s.slots) {
      if (!at.empty() && at.back() + lengths.back() == slot)
        lengths.back()++;
      else
        at.push_back(static_cast<int>(slot)), lengths.push_back(1);
    }
    MPI_Type_indexed(static_cast<int>(at.size()), lengths.data(), at.data(), etype, &inner);
  } else {
    inner = make_of_runs(s, etype, how == 3);
  }
  MPI_Type_create_resized(inner, 0, s.tile * s.unit, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&inner);
  return all;
}

// A matrix that is distributed among all ranks, of which each has something.
struct matrix {
  int sizes[2], distributions[2], arguments[2], processes[2], order;
  bool sub;  // as a subarray, where each has one block
  matrix() {
    const bool by_rows = below(2) == 0, both = below(2) == 0;
    processes[0] = processes[1] = 1;
    (by_rows ? processes[0] : processes[1]) = size;
    if (both) {
      processes[0] = processes[1] = 0;
      MPI_Dims_create(size, 2, processes);
    }
    order = below(2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    sub = below(2) == 0;
    for (int d = 0; d < 2; ++d) {
      const int p = processes[d], block = static_cast<int>(1 + below(4));
      const bool cyclic = !sub && below(2) == 0;
      distributions[d] = cyclic ? MPI_DISTRIBUTE_CYCLIC : MPI_DISTRIBUTE_BLOCK;
      arguments[d] = block;
      sizes[d] = p * block;
      if (cyclic) sizes[d] += static_cast<int>(below(2 * p * block));
    }
  }
  int place(int r, int d) const { return d == 0 ? r / processes[1] : r % processes[1]; }
  long tile() const { return static_cast<long>(sizes[0]) * sizes[1]; }
  std::vector<long> slots(int r) const {
    std::vector<long> all;
    for (int i = 0; i < sizes[0]; ++i)
      for (int j = 0; j < sizes[1]; ++j)
        if (i / arguments[0] % processes[0] == place(r, 0) && j / arguments[1] % processes[1] == place(r, 1))
          all.push_back(order == MPI_ORDER_C ? static_cast<long>(i) * sizes[1] + j
                                             : i + static_cast<long>(j) * sizes[0]);
    std::sort(all.begin(), all.end());
    return all;
  }
  MPI_Datatype type(int r, MPI_Datatype etype) const {
    MPI_Datatype all;
    if (sub) {
      const int starts[] = {place(r, 0) * arguments[0], place(r, 1) * arguments[1]};
      MPI_Type_create_subarray(2, sizes, arguments, starts, order, etype, &all);
    } else {
      MPI_Type_create_darray(size, r, 2, sizes, distributions, arguments, processes, order, etype, &all);
    }
    MPI_Type_commit(&all);
    return all;
  }
};

std::uint8_t value(long writer, long i) {
  return static_cast<std::uint8_t>((round_ * 131 + step * 31 + writer * 17 + i * 7 + i / 251) % 255 + 1);
}

// Data of `count` etypes in memory, with gaps or without.
struct memory {
  std::vector<std::uint8_t> bytes;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int count = 0;
  std::uint8_t* address = nullptr;
  std::vector<long> places;  // of each etype
  long unit;
  memory(long etypes, long unit_bytes, MPI_Datatype etype, long how) : unit(unit_bytes) {
    const long step_ = how == 0 ? 1 : how == 1 ? 2 : 3;
    bytes.assign(static_cast<std::size_t>(etypes * step_ * unit + 64), 0xee);
    address = bytes.data() + 16;
    if (how == 0) {  // side by side
      type = etype;
      count = static_cast<int>(etypes);
      for (long i = 0; i < etypes; ++i) places.push_back(16 + i * unit);
    } else if (how == 1) {  // every second
      MPI_Type_create_resized(etype, 0, 2 * unit, &type);
      MPI_Type_commit(&type);
      count = static_cast<int>(etypes);
      for (long i = 0; i < etypes; ++i) places.push_back(16 + 2 * i * unit);
    } else {  // backwards, all in one element; the address is behind the data
      std::vector<MPI_Aint> at;
      std::vector<int> lengths(static_cast<std::size_t>(etypes), 1);
      for (long i = 0; i < etypes; ++i) at.push_back(-3 * (i + 1) * unit);
      address = bytes.data() + 16 + 3 * etypes * unit;
      MPI_Type_create_hindexed(static_cast<int>(etypes), lengths.data(), at.data(), etype, &type);
      MPI_Type_commit(&type);
      count = etypes > 0 ? 1 : 0;
      for (long i = 0; i < etypes; ++i) places.push_back(16 + 3 * (etypes - i - 1) * unit);
    }
    own = how != 0;
  }
  ~memory() {
    if (own) MPI_Type_free(&type);
  }
  bool own;
};

enum class pointer { at, own, shared, ordered };
enum class form { blocking, later, split };

struct access_ {
  bool write, together;
  pointer where;
  form how;
};

int call(MPI_File f, const access_& a, long offset, memory& m, MPI_Status* st) {
  MPI_Request r = MPI_REQUEST_NULL;
  void* b = m.address;
  const int n = m.count;
  const MPI_Datatype t = m.type;
  const MPI_Offset o = offset;
  const bool w = a.write;
  const auto wait = [&](int code) { return code != MPI_SUCCESS ? code : MPI_Wait(&r, st); };
  if (a.how == form::split) {
    int code;
    if (a.where == pointer::at) {
      code = w ? MPI_File_write_at_all_begin(f, o, b, n, t) : MPI_File_read_at_all_begin(f, o, b, n, t);
      return code ? code : w ? MPI_File_write_at_all_end(f, b, st) : MPI_File_read_at_all_end(f, b, st);
    }
    if (a.where == pointer::own) {
      code = w ? MPI_File_write_all_begin(f, b, n, t) : MPI_File_read_all_begin(f, b, n, t);
      return code ? code : w ? MPI_File_write_all_end(f, b, st) : MPI_File_read_all_end(f, b, st);
    }
    code = w ? MPI_File_write_ordered_begin(f, b, n, t) : MPI_File_read_ordered_begin(f, b, n, t);
    return code ? code : w ? MPI_File_write_ordered_end(f, b, st) : MPI_File_read_ordered_end(f, b, st);
  }
  const bool later = a.how == form::later;
  switch (a.where) {
    case pointer::at:
      if (a.together && later)
        return wait(w ? MPI_File_iwrite_at_all(f, o, b, n, t, &r)
                      : MPI_File_iread_at_all_c(f, o, b, n, t, &r));
      if (a.together)
        return w ? MPI_File_write_at_all_c(f, o, b, n, t, st) : MPI_File_read_at_all(f, o, b, n, t, st);
      if (later)
        return wait(w ? MPI_File_iwrite_at_c(f, o, b, n, t, &r) : MPI_File_iread_at(f, o, b, n, t, &r));
      return w ? MPI_File_write_at(f, o, b, n, t, st) : MPI_File_read_at_c(f, o, b, n, t, st);
    case pointer::own:
      if (a.together && later)
        return wait(w ? MPI_File_iwrite_all_c(f, b, n, t, &r) : MPI_File_iread_all(f, b, n, t, &r));
      if (a.together) return w ? MPI_File_write_all(f, b, n, t, st) : MPI_File_read_all_c(f, b, n, t, st);
      if (later) return wait(w ? MPI_File_iwrite(f, b, n, t, &r) : MPI_File_iread_c(f, b, n, t, &r));
      return w ? MPI_File_write_c(f, b, n, t, st) : MPI_File_read(f, b, n, t, st);
    case pointer::shared:
      if (later)
        return wait(w ? MPI_File_iwrite_shared(f, b, n, t, &r) : MPI_File_iread_shared_c(f, b, n, t, &r));
      return w ? MPI_File_write_shared_c(f, b, n, t, st) : MPI_File_read_shared(f, b, n, t, st);
    case pointer::ordered:
      return w ? MPI_File_write_ordered(f, b, n, t, st) : MPI_File_read_ordered_c(f, b, n, t, st);
  }
  return MPI_ERR_OTHER;
}

void one_round(const std::string& path) {
  static const element elements[] = {{MPI_BYTE, 1, 1},   {MPI_INT, 4, 1},   {MPI_DOUBLE, 8, 1},
                                     {MPI_SHORT, 2, 3},  {MPI_CHAR, 1, 5},  {MPI_INT64_T, 8, 1},
                                     {MPI_FLOAT, 4, 16}, {MPI_BYTE, 1, 700}};
  const element e = elements[below(8)];
  static const char* const representations[] = {"native", "native", "internal", "external32"};
  const char* const representation = representations[below(4)];
  const bool external = std::strcmp(representation, "external32") == 0;
  const bool common = size == 1 || below(2) == 0;
  const bool atomic = below(4) == 0;
  MPI_Datatype etype = e.named;
  if (e.parts > 1) {
    MPI_Type_contiguous(static_cast<int>(e.parts), e.named, &etype);
    MPI_Type_commit(&etype);
  }
  // Each slot of a tile is a rank's, or nobody's.
  std::vector<seen> views(static_cast<std::size_t>(size));
  const long tile = size + below(4 * size + 8), displacement = below(3) == 0 ? below(5000) : 0;
  const long dense = below(3);
  for (long s = 0, owner = 0; s < tile; ++s) {
    if (dense == 0 || below(3) != 0) owner = below(size + (dense == 2 ? 0 : 1));
    if (s < size) owner = s;  // nobody has nothing
    if (owner < size) views[static_cast<std::size_t>(owner)].slots.push_back(s);
  }
  for (seen& v : views) v.tile = tile, v.displacement = displacement, v.unit = e.bytes();
  const bool in_matrix = below(3) == 0;
  const matrix parts;
  if (in_matrix) {
    for (int r = 0; r < size; ++r) {
      seen& v = views[static_cast<std::size_t>(r)];
      v.slots = parts.slots(r);
      v.tile = parts.tile();
    }
  }
  if (common) {
    if (!in_matrix && below(2) == 0) {
      views[0].slots.resize(static_cast<std::size_t>(tile));
      for (long s = 0; s < tile; ++s) views[0].slots[static_cast<std::size_t>(s)] = s;
    }
    for (seen& v : views) v = views[0];
  }
  MPI_Info info;
  MPI_Info_create(&info);
  static const char* const collective[] = {"automatic", "true", "false"};
  static const char* const sizes[] = {"1", "5000", "16384", "9223372036854775807"};
  static const char* const sieves[] = {"0", "1", "100", "4194304"};
  MPI_Info_set(info, "collective_buffering", collective[below(3)]);
  const long window = below(4);
  MPI_Info_set(info, "cb_buffer_size", sizes[window]);
  MPI_Info_set(info, "loadstone_sieve_size", sieves[below(4)]);
  if (below(4) == 0) MPI_Info_set(info, "striping_unit", sizes[below(4)]);
  if (below(2) == 0) MPI_Info_set(info, "cb_nodes", std::to_string(1 + below(size + 2)).c_str());
  MPI_File f;
  CHECK(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f));
  CHECK(MPI_File_set_size(f, 0));
  const long how_made = below(5);
  MPI_Datatype filetype = in_matrix ? parts.type(common ? 0 : rank, etype)
                                    : make_filetype(views[static_cast<std::size_t>(rank)], etype, how_made);
  CHECK(MPI_File_set_view(f, displacement, etype, filetype, representation, info));
  MPI_Info_free(&info);
  if (atomic) CHECK(MPI_File_set_atomicity(f, 1));

  std::vector<std::uint8_t> model;
  bool in_step = true;  // does everybody see what was written?
  long least = 0;       // if not: the file is at least so long, as this rank sees it
  std::vector<long> own(static_cast<std::size_t>(size), 0);
  long shared = 0;
  const long steps = 3 + below(10);
  for (step = 0; step < steps; ++step) {
    access_ a;
    a.write = step == 0 || below(2) == 0;
    a.where = static_cast<pointer>(below(common && in_step ? 4 : 2));
    a.together = a.where == pointer::ordered || (a.where != pointer::shared && below(2) == 0);
    a.how = static_cast<form>(below(a.together ? 3 : 2));
    if (a.where == pointer::ordered && a.how == form::later) a.how = form::blocking;
    const long length = below(30);
    const long most = length == 0 && window != 0 ? 200000 / e.bytes()
                      : length < 7               ? 3000 / e.bytes() + 1
                                                 : 40;
    const long spread = most + below(20);
    if (a.where == pointer::own && below(2) == 0) {
      for (long r = 0; r < size; ++r) own[static_cast<std::size_t>(r)] = below(100);
      if (common) {
        for (long r = 0; r < size; ++r) own[static_cast<std::size_t>(r)] = r * spread;
      }
      const long here = own[static_cast<std::size_t>(rank)];
      CHECK(MPI_File_seek(f, here, MPI_SEEK_SET));
    } else if (a.where == pointer::own && common) {
      a.write = false;  // pointers of several ranks may be anywhere
    }
    if ((a.where == pointer::shared || a.where == pointer::ordered) && below(3) == 0) {
      shared = below(60);
      CHECK(MPI_File_seek_shared(f, shared, MPI_SEEK_SET));
    }
    // What each rank does; only the last of the turns of shared access is not at once.
    std::vector<long> counts(static_cast<std::size_t>(size)), from(static_cast<std::size_t>(size));
    for (long r = 0; r < size; ++r) {
      const auto i = static_cast<std::size_t>(r);
      counts[i] = below(4) == 0 ? 0 : below(most) + 1;
      if (a.where == pointer::at) from[i] = common ? r * spread : below(100);
      if (a.where == pointer::own) from[i] = own[i], own[i] += counts[i];
      if (a.where == pointer::shared || a.where == pointer::ordered) from[i] = shared, shared += counts[i];
    }
    const auto me = static_cast<std::size_t>(rank);
    memory m(counts[me], e.bytes(), etype, below(3));
    if (a.write) {
      for (long i = 0; i < counts[me] * e.bytes(); ++i)
        m.bytes[static_cast<std::size_t>(m.places[static_cast<std::size_t>(i / e.bytes())] + i % e.bytes())] =
            value(rank, i);
    }
    const std::vector<std::uint8_t> before = m.bytes;
    MPI_Status st;
    std::memset(&st, 0x55, sizeof st);
    if (a.where == pointer::shared) {
      for (int r = 0; r < size; ++r) {
        if (r == rank) CHECK(call(f, a, 0, m, &st));
        MPI_Barrier(MPI_COMM_WORLD);
      }
    } else {
      CHECK(call(f, a, from[me], m, &st));
    }
    // The model. In the file the bytes of each element may be the other way round.
    const auto in_file = [&](long i) {
      if (!external) return i;
      const long element_at = i / e.width * e.width;
      return element_at + e.width - 1 - (i - element_at);
    };
    if (a.write) {
      for (long r = 0; r < size; ++r) {
        const auto j = static_cast<std::size_t>(r);
        for (long k = 0; k < counts[j]; ++k) {
          const auto at = static_cast<std::size_t>(views[j].offset(from[j] + k));
          if (model.size() < at + static_cast<std::size_t>(e.bytes()))
            model.resize(at + static_cast<std::size_t>(e.bytes()));
          for (long i = 0; i < e.bytes(); ++i)
            model[at + static_cast<std::size_t>(in_file(i))] = value(r, k * e.bytes() + i);
          if (r == rank) least = std::max(least, static_cast<long>(at) + e.bytes());
        }
      }
      if (m.bytes != before) fail("a write has changed its data");
    }
    MPI_Count got = -1;
    CHECK(MPI_Get_elements_c(&st, MPI_BYTE, &got));
    if (a.write) {
      if (got != counts[me] * e.bytes()) fail("a write's status", got, counts[me] * e.bytes());
    } else {
      long expected = 0;
      bool ended = false;
      std::vector<std::uint8_t> content = before;
      // Where others have written and nobody has synchronised, the file ends here or there.
      long end = static_cast<long>(model.size());
      if (!in_step && got >= 0 && got <= counts[me] * e.bytes()) {
        const long whole = static_cast<long>(got) / e.bytes(), some = static_cast<long>(got) % e.bytes();
        if (whole < counts[me]) {
          const long seen_end = views[me].offset(from[me] + whole) + some;
          if (some != 0 || seen_end >= least)
            end = std::clamp(seen_end, least, end);
          else
            end = least;
        }
      }
      for (long k = 0; k < counts[me] && !ended; ++k) {
        const long at = views[me].offset(from[me] + k);
        const long there = std::clamp<long>(end - at, 0, e.bytes());
        for (long i = 0; i < there; ++i)
          content[static_cast<std::size_t>(m.places[static_cast<std::size_t>(k)] + i)] =
              model[static_cast<std::size_t>(at + (external ? in_file(i) : i))];
        expected += there;
        ended = there < e.bytes();
      }
      if (external && ended) {  // what is delivered of the last element of a derived type is not said
        if (got > expected) fail("a read at the end", got, expected);
      } else {
        if (got != expected) fail("a read's status", got, expected);
        if (m.bytes != content) {
          long i = 0;
          while (m.bytes[static_cast<std::size_t>(i)] == content[static_cast<std::size_t>(i)]) ++i;
          fail("what was read differs at byte", i,
               static_cast<long>(a.where) * 100 + static_cast<long>(a.how) * 10 + a.together);
        }
      }
    }
    MPI_Offset position;
    CHECK(MPI_File_get_position(f, &position));
    if (position != own[me]) fail("the individual pointer", position, own[me]);
    // Views that are common have no bytes of one rank alone.
    in_step = (common && size > 1) || step + 1 == steps || below(3) != 0;
    if (!in_step) {
      MPI_Barrier(MPI_COMM_WORLD);  // nobody makes the file longer than the model is
      continue;
    }
    if (!atomic) {
      CHECK(MPI_File_sync(f));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!atomic) CHECK(MPI_File_sync(f));
    least = static_cast<long>(model.size());
    CHECK(MPI_File_get_position_shared(f, &position));
    if (position != shared) fail("the shared pointer", position, shared);
    MPI_Offset bytes;
    CHECK(MPI_File_get_size(f, &bytes));
    if (bytes != static_cast<MPI_Offset>(model.size()))
      fail("the size", bytes, static_cast<long long>(model.size()));
    CHECK(MPI_File_get_byte_offset(f, step * 7, &position));
    if (position != views[me].offset(step * 7)) fail("a byte offset", position, views[me].offset(step * 7));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(MPI_File_close(&f));
  MPI_Type_free(&filetype);
  if (e.parts > 1) MPI_Type_free(&etype);
  if (rank == 0) {
    std::vector<std::uint8_t> content(model.size() + 1);
    std::FILE* in = std::fopen(path.c_str(), "rb");
    const std::size_t n = in == nullptr ? 0 : std::fread(content.data(), 1, content.size(), in);
    if (in != nullptr) std::fclose(in);
    content.resize(n);
    if (content != model)
      fail("the file differs from the model", static_cast<long long>(n),
           static_cast<long long>(model.size()));
    CHECK(MPI_File_delete(path.c_str(), MPI_INFO_NULL));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && size != std::atoi(argv[1])) fail("the number of ranks", size);
  const long rounds = argc > 2 ? std::atol(argv[2]) : 30;
  seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : static_cast<std::uint64_t>(getpid());
  if (const char* given = std::getenv("LOADSTONE_TEST_SEED")) seed = std::strtoull(given, nullptr, 10);
  MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  const std::string path = std::string(argc > 4 ? argv[4] : "/tmp") + "/file_random." + std::to_string(seed);
  for (round_ = 0; round_ < rounds; ++round_) {
    state = seed + static_cast<std::uint64_t>(round_) * 1000003;
    one_round(path);
  }
  MPI_Finalize();
  return 0;
}
