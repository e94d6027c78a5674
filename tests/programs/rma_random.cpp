/* Random programs of one-sided communication against an obvious oracle: all ranks draw the same program from
 * the seed (rma/plan.hpp), carry out their part of it, and know what every byte of every window and every result
 * must be (rma/oracle.hpp). Usage: rma_random RANKS [SEED PROGRAMS [MOST_BYTES MOST_ACCESSES]]
 * Programs SEED, SEED + 1, ... are run; LOADSTONE_TEST_SEED takes the place of SEED, RMA_RANDOM_SHOW=1 prints what is done.
 * RMA_WINDOWS and RMA_RANDOM_NO_ACCUMULATES=1 leave out what may be drawn.
 * RMA_RANDOM_THREADS=T: as many threads of each rank access targets at once, in one epoch. */
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <list>
#include <memory>
#include <thread>

#include "check.h"
#include "rma/oracle.hpp"

// MPI-4's calls with large counts; one peer has none of them.
#if defined(OPEN_MPI)
#define LARGE(name, ...) MPI_##name(__VA_ARGS__)
#else
#define LARGE(name, ...) (a.large ? MPI_##name##_c(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
#endif

namespace rma {
namespace {

std::string where_we_are;
bool show = false;
int threads = 1;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "rma_random.cpp: rank %d of %d: %s%s\n", rank, size, where_we_are.c_str(),
               what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void must(int code, const char* call, const access* a = nullptr) {
  if (code == MPI_SUCCESS) return;
  char text_of_error[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text_of_error, &length);
  fail(std::string(call) + " failed: " + text_of_error + (a ? "\n  " + text(*a) : ""));
}
#define MUST(call) must(call, #call)

// Memory at an address of the wanted alignment and of no larger one.
class block {
 public:
  block() = default;
  block(std::size_t bytes, std::size_t align, bool from_mpi) : from_mpi_(from_mpi) {
    void* p = nullptr;
    if (from_mpi)
      MPI_Alloc_mem(static_cast<MPI_Aint>(bytes + 1), MPI_INFO_NULL, &p);
    else
      p = std::aligned_alloc(64, (bytes + 16 + 127) / 64 * 64);
    whole_ = p;
    base_ = static_cast<unsigned char*>(p) + (align < 16 ? align : 0);
  }
  block(block&& other) noexcept { *this = std::move(other); }
  block& operator=(block&& other) noexcept {
    std::swap(whole_, other.whole_);
    std::swap(base_, other.base_);
    std::swap(from_mpi_, other.from_mpi_);
    return *this;
  }
  ~block() {
    if (whole_ && from_mpi_) MPI_Free_mem(whole_);
    if (whole_ && !from_mpi_) std::free(whole_);
  }
  unsigned char* base() const { return base_; }

 private:
  void* whole_ = nullptr;
  unsigned char* base_ = nullptr;
  bool from_mpi_ = false;
};

// A buffer of the origin: a layout's bytes, and guards before, between and behind them.
class buffer {
 public:
  static constexpr unsigned char guard = 0xA5, scribbled = 0xEE;

  buffer() = default;
  explicit buffer(const layout& l) {
    const place before = (std::max<place>(0, -l.low) + 31) / 16 * 16;
    memory_.resize(static_cast<std::size_t>(before + std::max<place>(0, l.high) + 48), guard);
    base_ =
        reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(memory_.data()) + 15) / 16 * 16) +
        before;
  }
  buffer(const layout& l, const bytes& packed) : buffer(l) {
    scatter(l, packed, base_);
    sent_ = memory_;
  }
  unsigned char* base() { return base_; }
  bool is_as_sent() const { return memory_ == sent_; }
  void scribble() { std::fill(memory_.begin(), memory_.end(), scribbled); }

  static void scatter(const layout& l, const bytes& packed, unsigned char* base) {
    std::size_t at = 0;
    for (const auto& [where, what] : l.elements) {
      const kind& k = kinds()[static_cast<std::size_t>(what)];
      for (const auto& [offset, length] : k.typemap)
        std::memcpy(base + where + offset, &packed[at + offset], length);
      at += k.extent;
    }
  }

  // What came, packed; the bytes beside it are untouched, or `text` says which is not.
  bytes received(const layout& l, std::string& text) const {
    bytes packed, rest = memory_;
    for (const auto& [where, what] : l.elements) {
      const kind& k = kinds()[static_cast<std::size_t>(what)];
      const std::size_t at = packed.size();
      packed.resize(at + k.extent);
      for (const auto& [offset, length] : k.typemap) {
        std::memcpy(&packed[at + offset], base_ + where + offset, length);
        std::memset(rest.data() + (base_ - memory_.data()) + where + offset, guard, length);
      }
    }
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (rest[i] != guard) {
        text = "byte " + std::to_string(static_cast<place>(i) - (base_ - memory_.data())) +
               " of the buffer was written";
        break;
      }
    return packed;
  }

 private:
  bytes memory_, sent_;
  unsigned char* base_ = nullptr;
};

std::string show_bytes(const unsigned char* from, std::size_t count) {
  std::string out;
  char two[4];
  for (std::size_t i = 0; i < count; ++i) {
    std::snprintf(two, sizeof two, "%02x", from[i]);
    out += two;
  }
  return out;
}

// An access under way, with its buffers.
struct running {
  access* what;
  buffer from, into, compare;
  MPI_Request request = MPI_REQUEST_NULL;
  bool done = false;
};

bool may_be(const access& a, const kind& k, const unsigned char* least, const unsigned char* found,
            const unsigned char* most) {
  const auto same = [&](const unsigned char* x, const unsigned char* y) {
    for (const auto& [offset, length] : k.data)
      if (std::memcmp(x + offset, y + offset, length) != 0) return false;
    return true;
  };
  const auto applied = [&](const unsigned char* to, const unsigned char* with) {
    bytes result(to, to + k.extent);
    k.apply(a.operation, result.data(), with);
    return result;
  };
  switch (a.operation) {
    case op::max:
    case op::min:
    case op::band:
    case op::bor:
    case op::maxloc:
    case op::minloc:
      return same(applied(found, least).data(), found) && same(applied(most, found).data(), most);
    case op::sum: {  // nothing negative is added
      if (k.group == family::complex) return true;
      bytes down = applied(least, found);
      const auto order = [&](const unsigned char* x, const unsigned char* y) {
        bytes larger(x, x + k.extent);
        k.apply(op::max, larger.data(), y);
        return same(larger.data(), y);
      };
      return !order(least, most) || (order(least, found) && order(found, most));
    }
    default:
      return true;
  }
}

void finish(running& r) {
  access& a = *r.what;
  r.done = true;
  if (a.what != call::get && a.own_region < 0 && !a.null_origin) {
    if (!r.from.is_as_sent()) fail("the origin's buffer was changed\n  " + text(a));
    r.from.scribble();
  }
  if (!planner::has_result(a)) return;
  const layout& l = a.what == call::get ? a.from : a.into;
  const buffer& b = a.what == call::get ? r.from : r.into;
  std::string wrong;
  const bytes found = b.received(l, wrong);
  if (!wrong.empty()) fail("beside the result, " + wrong + "\n  " + text(a));
  std::size_t at = 0;
  for (std::size_t n = 0; n < l.elements.size(); ++n) {
    const kind& k = kinds()[static_cast<std::size_t>(l.elements[n].second)];
    bool right = true;
    if (a.target == MPI_PROC_NULL) {  // nothing comes
      for (const auto& [offset, length] : k.typemap)
        for (std::size_t i = offset; i < offset + length; ++i)
          right = right && found[at + i] == buffer::guard;
    } else if (a.answers[n] == access::answer::bounded) {
      right = may_be(a, k, &a.least[at], &found[at], &a.most[at]);
    } else if (a.answers[n] == access::answer::exact) {
      for (const auto& [offset, length] : k.data)
        for (std::size_t i = offset; i < offset + length; ++i)
          right = right && (!a.care[at + i] || found[at + i] == a.expected[at + i]);
    }
    if (!right)
      fail("result " + std::to_string(n) + " at byte " + std::to_string(l.elements[n].first) + " is " +
           show_bytes(&found[at], k.extent) + " instead of " +
           (a.target == MPI_PROC_NULL ? "untouched"
            : a.answers[n] == access::answer::bounded
                ? show_bytes(&a.least[at], k.extent) + " to " + show_bytes(&a.most[at], k.extent)
                : show_bytes(&a.expected[at], k.extent)) +
           "\n  " + text(a));
    at += k.extent;
  }
}

// A window and its memory, as planned.
class live_window {
 public:
  live_window(const window& w, MPI_Comm comm) : plan_(w) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm_, &me_);
    create();
    check_attributes(window_, w.unit);
    if (twin_ != MPI_WIN_NULL) check_attributes(twin_, w.twin_unit);
    if (w.how == flavour::shared) check_neighbours();
  }

  ~live_window() {
    for (unsigned char* p : bases_)
      if (plan_.how == flavour::dynamic) MUST(MPI_Win_detach(window_, p));
    MUST(MPI_Win_free(&window_));
    if (twin_ != MPI_WIN_NULL) MUST(MPI_Win_free(&twin_));
    if (!plan_.freed_comm) MPI_Comm_free(&kept_);
    MPI_Comm_free(&comm_);
  }

  int me() const { return me_; }
  MPI_Win win(bool twin) const { return twin ? twin_ : window_; }
  unsigned char* base(int region) const { return bases_[static_cast<std::size_t>(region)]; }
  void barrier() const { MPI_Barrier(comm_); }

  MPI_Aint displacement(const access& a, bool twin) const {
    if (a.target == MPI_PROC_NULL) return 0;
    const auto t = static_cast<std::size_t>(a.target);
    if (plan_.how == flavour::dynamic)
      return MPI_Aint_add(addresses_[t * most_regions + static_cast<std::size_t>(a.region)], a.base);
    return a.base / (twin ? plan_.twin_unit : plan_.unit)[t];
  }

  // The same contents in other memory.
  void attach_anew() {
    if (plan_.how != flavour::dynamic) return;
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      const auto bytes_of = static_cast<std::size_t>(mine()[i].size);
      block other(bytes_of, 16, plan_.from_mpi);
      std::memcpy(other.base(), bases_[i], bytes_of);
      MUST(MPI_Win_detach(window_, bases_[i]));
      std::memset(bases_[i], 0x5A, bytes_of);
      MUST(MPI_Win_attach(window_, other.base(), static_cast<MPI_Aint>(bytes_of)));
      blocks_[i] = std::move(other);
      bases_[i] = blocks_[i].base();
    }
    exchange_addresses();
  }

 private:
  static constexpr std::size_t most_regions = 4;

  const std::vector<region>& mine() const { return plan_.regions[static_cast<std::size_t>(me_)]; }

  MPI_Info info() const {
    MPI_Info i;
    MPI_Info_create(&i);
    if (plan_.no_locks) MPI_Info_set(i, "no_locks", "true");
    if (plan_.same_op) MPI_Info_set(i, "accumulate_ops", "same_op");
    if (plan_.relaxed) MPI_Info_set(i, "accumulate_ordering", "none");
    if (plan_.noncontiguous) MPI_Info_set(i, "alloc_shared_noncontig", "true");
    bool same_size = true, same_unit = true;
    for (std::size_t r = 1; r < plan_.regions.size(); ++r) {
      same_size =
          same_size && plan_.how != flavour::dynamic && plan_.regions[r][0].size == plan_.regions[0][0].size;
      same_unit = same_unit && plan_.unit[r] == plan_.unit[0];
    }
    if (same_size && plan_.how != flavour::dynamic) MPI_Info_set(i, "same_size", "true");
    if (same_unit && plan_.twin_unit.empty()) MPI_Info_set(i, "same_disp_unit", "true");
    return i;
  }

  void create() {
    MPI_Comm_dup(comm_, &kept_);
    MPI_Info hints = info();
    const auto i = static_cast<std::size_t>(me_);
    unsigned char* base = nullptr;
    switch (plan_.how) {
      case flavour::create: {
        const region& one = mine()[0];
        blocks_.emplace_back(static_cast<std::size_t>(one.size), static_cast<std::size_t>(one.align),
                             plan_.from_mpi);
        base = one.size ? blocks_[0].base() : nullptr;
        MUST(MPI_Win_create(base, one.size, plan_.unit[i], hints, kept_, &window_));
        if (!plan_.twin_unit.empty())
          MUST(MPI_Win_create(base, one.size, plan_.twin_unit[i], hints, kept_, &twin_));
        bases_.push_back(base);
        break;
      }
      case flavour::allocate:
        MUST(MPI_Win_allocate(mine()[0].size, plan_.unit[i], hints, kept_, &base, &window_));
        bases_.push_back(base);
        break;
      case flavour::shared:
        MUST(MPI_Win_allocate_shared(mine()[0].size, plan_.unit[i], hints, kept_, &base, &window_));
        bases_.push_back(base);
        break;
      case flavour::dynamic:
        MUST(MPI_Win_create_dynamic(hints, kept_, &window_));
        for (const region& one : mine()) {
          blocks_.emplace_back(static_cast<std::size_t>(one.size), std::size_t{16}, plan_.from_mpi);
          bases_.push_back(blocks_.back().base());
          MUST(MPI_Win_attach(window_, bases_.back(), one.size));
        }
        exchange_addresses();
    }
    MPI_Info_free(&hints);
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
    if (twin_ != MPI_WIN_NULL) MPI_Win_set_errhandler(twin_, MPI_ERRORS_RETURN);
    if (plan_.freed_comm) MPI_Comm_free(&kept_);
  }

  void exchange_addresses() {
    std::vector<MPI_Aint> own(most_regions, 0);
    for (std::size_t i = 0; i < bases_.size(); ++i) MPI_Get_address(bases_[i], &own[i]);
    addresses_.resize(most_regions * plan_.regions.size());
    MPI_Allgather(own.data(), most_regions, MPI_AINT, addresses_.data(), most_regions, MPI_AINT, comm_);
  }

  void check_attributes(MPI_Win w, const std::vector<int>& units) const {
    int set, *number;
    void* base;
    MPI_Aint* bytes_of;
    MPI_Win_get_attr(w, MPI_WIN_CREATE_FLAVOR, &number, &set);
    const int flavours[] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED,
                            MPI_WIN_FLAVOR_DYNAMIC};
    if (!set || *number != flavours[static_cast<int>(plan_.how)]) fail("MPI_WIN_CREATE_FLAVOR is wrong");
    MPI_Win_get_attr(w, MPI_WIN_MODEL, &number, &set);
    if (!set || *number != MPI_WIN_UNIFIED) fail("MPI_WIN_MODEL is not MPI_WIN_UNIFIED");
    MPI_Win_get_attr(w, MPI_WIN_BASE, &base, &set);
    if (!set || base != (plan_.how == flavour::dynamic ? MPI_BOTTOM : bases_[0]))
      fail("MPI_WIN_BASE is wrong");
    MPI_Win_get_attr(w, MPI_WIN_SIZE, &bytes_of, &set);
    if (!set || *bytes_of != (plan_.how == flavour::dynamic ? 0 : mine()[0].size))
      fail("MPI_WIN_SIZE is wrong");
    MPI_Win_get_attr(w, MPI_WIN_DISP_UNIT, &number, &set);
    if (!set || *number != units[static_cast<std::size_t>(me_)]) fail("MPI_WIN_DISP_UNIT is wrong");
    MPI_Group of_window, of_comm;
    int same;
    MPI_Win_get_group(w, &of_window);
    MPI_Comm_group(comm_, &of_comm);
    MPI_Group_compare(of_window, of_comm, &same);
    if (same != MPI_IDENT) fail("MPI_Win_get_group: another group");
    MPI_Group_free(&of_window);
    MPI_Group_free(&of_comm);
  }

  void check_neighbours() const {
    unsigned char *last = nullptr, *first = nullptr, *base;
    MPI_Aint bytes_of, of_first = 0;
    int unit;
    for (std::size_t r = 0; r < plan_.regions.size(); ++r) {
      MUST(MPI_Win_shared_query(window_, static_cast<int>(r), &bytes_of, &unit, &base));
      const place planned = plan_.regions[r][0].size;
      if (on_loadstone() ? bytes_of != planned || unit != plan_.unit[r] : bytes_of < planned)
        fail("MPI_Win_shared_query of rank " + std::to_string(r) + ": size " + std::to_string(bytes_of) +
             " instead of " + std::to_string(planned) + ", unit " + std::to_string(unit) + " instead of " +
             std::to_string(plan_.unit[r]));
      if (planned == 0) continue;
      if (!first) first = base, of_first = bytes_of;
      if (!plan_.noncontiguous && last && base != last) fail("MPI_Win_allocate_shared: not contiguous");
      if (static_cast<int>(r) == me_ && base != bases_[0])
        fail("MPI_Win_shared_query: my memory is elsewhere");
      last = base + planned;
    }
    MUST(MPI_Win_shared_query(window_, MPI_PROC_NULL, &bytes_of, &unit, &base));
    if (first && (base != first || bytes_of != of_first))
      fail("MPI_Win_shared_query of MPI_PROC_NULL: not the first with memory");
  }

  const window& plan_;
  MPI_Comm comm_ = MPI_COMM_NULL, kept_ = MPI_COMM_NULL;
  int me_ = 0;
  MPI_Win window_ = MPI_WIN_NULL, twin_ = MPI_WIN_NULL;
  std::vector<block> blocks_;
  std::vector<unsigned char*> bases_;
  std::vector<MPI_Aint> addresses_;
};

// One rank's part of an epoch.
class performer {
 public:
  // stored: the rank has stored into its memory since the last epoch.
  performer(live_window& w, epoch& e, bool stored)
      : window_(w), epoch_(e), win_(w.win(e.on_twin)), stored_(stored) {}

  void run() {
    const auto i = static_cast<std::size_t>(window_.me());
    const bool fence = epoch_.by == sync_by::fence;
    if (fence && !epoch_.follows)
      MUST(MPI_Win_fence(epoch_.open[i] & ~(stored_ ? MPI_MODE_NOSTORE : 0), win_));
    bool behind_barrier = !epoch_.unchecked;
    for (const step& s : epoch_.steps[i]) {
      if (!behind_barrier && s.what != act::post) {
        window_.barrier();
        behind_barrier = true;
      }
      perform(s);
    }
    if (!behind_barrier) window_.barrier();
    if (fence) {
      MUST(MPI_Win_fence(epoch_.close[i], win_));
      finish_all();
    }
    for (running& r : running_)
      if (!r.done) finish(r);  // with nobody
  }

 private:
  void finish_to(int target) {
    for (running& r : running_)
      if (!r.done && r.what->target == target) finish(r);
  }
  void finish_all() {
    for (running& r : running_)
      if (!r.done) finish(r);
  }

  MPI_Group group_of(const std::vector<int>& ranks) const {
    MPI_Group all, some;
    MPI_Win_get_group(win_, &all);
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    MPI_Group_free(&all);
    return some;
  }

  // What they have not completed is completed by what ends the epoch, or waited for behind it.
  void run_threads(const burst& all) {
    std::list<performer> workers;
    std::vector<std::thread> running;
    std::atomic<std::size_t> here{0};
    for (const auto& steps : all) {
      performer& worker = workers.emplace_back(window_, epoch_, false);
      running.emplace_back([&worker, &steps, &here, &all] {
        // To start a thread takes longer than what it does: they wait for each other.
        ++here;
        while (here < all.size()) std::this_thread::yield();
        for (const step& s : steps) worker.perform(s);
      });
    }
    for (std::thread& one : running) one.join();
    for (performer& worker : workers) running_.splice(running_.end(), worker.running_);
  }

  template <class Call>
  static int repeated(int times, Call call) {
    while (--times > 0)
      if (const int code = call()) return code;
    return call();
  }

  // MPICH 5.0 lets go of a lock that it has not taken.
  static int unchecked(const step& s) { return on_loadstone() ? s.assertion : 0; }

  void perform(const step& s) {
    if (show) std::fprintf(stderr, "rank %d (%d): %s\n", rank, window_.me(), text(s).c_str());
    switch (s.what) {
      case act::issue:
        issue(epoch_.accesses[static_cast<std::size_t>(s.target)]);
        break;
      case act::flush:
        MUST(MPI_Win_flush(s.target, win_));
        finish_to(s.target);
        break;
      case act::flush_local:
        MUST(MPI_Win_flush_local(s.target, win_));
        finish_to(s.target);
        break;
      case act::flush_all:
        MUST(MPI_Win_flush_all(win_));
        finish_all();
        break;
      case act::flush_local_all:
        MUST(MPI_Win_flush_local_all(win_));
        finish_all();
        break;
      case act::lock:
        MUST(MPI_Win_lock(s.exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, s.target, unchecked(s), win_));
        break;
      case act::unlock:
        MUST(MPI_Win_unlock(s.target, win_));
        finish_to(s.target);
        break;
      case act::lock_all:
        MUST(MPI_Win_lock_all(unchecked(s), win_));
        break;
      case act::unlock_all:
        MUST(MPI_Win_unlock_all(win_));
        finish_all();
        break;
      case act::wait:
        for (running& r : running_)
          if (r.what->id == s.target) {
            MUST(MPI_Wait(&r.request, MPI_STATUS_IGNORE));
            if (!r.done) finish(r);
          }
        break;
      case act::pause:
        usleep(300);
        break;
      case act::sync:
        MUST(MPI_Win_sync(win_));
        break;
      case act::threads:
        run_threads(epoch_.bursts[static_cast<std::size_t>(s.target)]);
        break;
      case act::post: {
        MPI_Group g = group_of(s.group);
        MUST(MPI_Win_post(g, s.assertion, win_));
        MPI_Group_free(&g);
        break;
      }
      case act::start: {
        MPI_Group g = group_of(s.group);
        MUST(MPI_Win_start(g, s.assertion, win_));
        MPI_Group_free(&g);
        break;
      }
      case act::complete:
        MUST(MPI_Win_complete(win_));
        finish_all();
        break;
      case act::expose_wait:
        MUST(MPI_Win_wait(win_));
        break;
      case act::expose_test:
        for (int flag = 0; !flag;) MUST(MPI_Win_test(win_, &flag));
        break;
    }
  }

  void issue(access& a) {
    if (show) std::fprintf(stderr, "rank %d (%d): %s\n", rank, window_.me(), text(a).c_str());
    running& r = running_.emplace_back();
    r.what = &a;
    void* from;
    if (a.own_region >= 0) {
      from = window_.base(a.own_region) + a.own_base;
    } else {
      r.from = a.what == call::get ? buffer(a.from) : buffer(a.from, a.values);
      from = r.from.base();
    }
    if (planner::has_result(a) && a.what != call::get) r.into = buffer(a.into);
    MPI_Datatype from_type = make(a.from), at_type = make(a.at), into_type = MPI_DATATYPE_NULL;
    int from_count = a.from.count;
    bool frees_from = !is_predefined(a.from);
    if (a.bottom && a.what != call::fetch_and_op && a.what != call::compare_and_swap) {
      MPI_Aint address;
      MPI_Get_address(from, &address);
      MPI_Datatype absolute;
      MPI_Type_create_hindexed(1, &from_count, &address, from_type, &absolute);
      MPI_Type_commit(&absolute);
      if (frees_from) MPI_Type_free(&from_type);
      frees_from = true;
      from_type = absolute;
      from_count = 1;
      from = MPI_BOTTOM;
    }
    if (a.what == call::get_accumulate) into_type = make(a.into);
    if (a.null_origin) {
      from = nullptr;
      from_count = 0;
      if (frees_from) MPI_Type_free(&from_type);
      frees_from = false;
      from_type = MPI_BYTE;
    }
    const MPI_Aint disp = window_.displacement(a, epoch_.on_twin);
    const MPI_Op o = handle(a.operation);
    const int n = a.at.count, t = a.target, m = a.into.count;
    const auto call_it = [&]() -> int {
      switch (a.what) {
        case call::put:
          return a.request ? LARGE(Rput, from, from_count, from_type, t, disp, n, at_type, win_, &r.request)
                           : LARGE(Put, from, from_count, from_type, t, disp, n, at_type, win_);
        case call::get:
          return a.request ? LARGE(Rget, from, from_count, from_type, t, disp, n, at_type, win_, &r.request)
                           : LARGE(Get, from, from_count, from_type, t, disp, n, at_type, win_);
        case call::accumulate:
          return a.request
                     ? LARGE(Raccumulate, from, from_count, from_type, t, disp, n, at_type, o, win_,
                             &r.request)
                     : repeated(a.times, [&] {
                         return LARGE(Accumulate, from, from_count, from_type, t, disp, n, at_type, o, win_);
                       });
        case call::get_accumulate:
          return a.request ? LARGE(Rget_accumulate, from, from_count, from_type, r.into.base(), m, into_type,
                                   t, disp, n, at_type, o, win_, &r.request)
                           : LARGE(Get_accumulate, from, from_count, from_type, r.into.base(), m, into_type,
                                   t, disp, n, at_type, o, win_);
        case call::fetch_and_op:
          return MPI_Fetch_and_op(from, r.into.base(), at_type, t, disp, o, win_);
        case call::compare_and_swap:
          r.compare = buffer(a.from, a.compare);
          return MPI_Compare_and_swap(from, r.compare.base(), r.into.base(), at_type, t, disp, win_);
      }
      return MPI_SUCCESS;
    };
    must(call_it(), "the call", &a);
    // A type that is freed lives until those who use it have done so.
    if (frees_from) MPI_Type_free(&from_type);
    if (!is_predefined(a.at)) MPI_Type_free(&at_type);
    if (into_type != MPI_DATATYPE_NULL && !is_predefined(a.into)) MPI_Type_free(&into_type);
  }

  live_window& window_;
  epoch& epoch_;
  MPI_Win win_;
  bool stored_;
  std::list<running> running_;
};

// RMA_WINDOWS: their first letters, of create, allocate, shared, dynamic.
std::vector<flavour> flavours() {
  const char* letters = std::getenv("RMA_WINDOWS");
  std::vector<flavour> all;
  for (int i = 0; i < 4; ++i)
    if (!letters || std::strchr(letters, "casd"[i])) all.push_back(static_cast<flavour>(i));
  return all;
}

class program {
 public:
  program(std::uint64_t seed, place most_bytes, int most_accesses)
      : seed_(seed),
        plan_(seed, size, most_bytes, most_accesses, flavours(), !std::getenv("RMA_RANDOM_NO_ACCUMULATES"),
              threads),
        oracle_(plan_.of()) {}

  void run() {
    const window& w = plan_.of();
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, w.reversed ? size - rank : rank, &comm);
    where_we_are = "seed " + std::to_string(seed_) + ", " + name(w.how) + ": ";
    std::vector<epoch> epochs;
    const auto count = plan_.random().pick(1, 5);
    for (int i = 0; i < count; ++i) {
      epochs.push_back(plan_.draw_epoch(i > 0 ? &epochs.back() : nullptr));
      if (epochs.back().follows)
        for (int& close : epochs[static_cast<std::size_t>(i) - 1].close) close &= ~MPI_MODE_NOSUCCEED;
    }
    live_window live(w, comm);
    MPI_Comm_free(&comm);
    oracle_.fill(plan_.random());
    for (std::size_t i = 0; i < epochs.size(); ++i) {
      epoch& e = epochs[i];
      where_we_are = "seed " + std::to_string(seed_) + ", " + name(w.how) + ", epoch " + std::to_string(i) +
                     " (" + name(e.by) + (e.follows ? ", at once" : "") + "): ";
      if (show && rank == 0) std::fprintf(stderr, "%s\n", where_we_are.c_str());
      if (!e.follows) prepare(live, e, i == 0);
      oracle_.run(e);
      performer(live, e, i == 0 || e.reattaches || !e.presets[static_cast<std::size_t>(live.me())].empty())
          .run();
      if (i + 1 == epochs.size() || !epochs[i + 1].follows) compare(live, e);
    }
  }

 private:
  static bool is_passive(const epoch& e) { return e.by == sync_by::locks || e.by == sync_by::lock_all; }

  // Local accesses to the window's memory between epochs that all have left.
  template <class F>
  void locally(live_window& live, const epoch& e, F&& work) {
    if (is_passive(e)) MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, live.me(), 0, live.win(e.on_twin)));
    work();
    if (is_passive(e)) MUST(MPI_Win_unlock(live.me(), live.win(e.on_twin)));
    live.barrier();
  }

  void prepare(live_window& live, const epoch& e, bool first) {
    if (e.reattaches) live.attach_anew();
    const auto& mine = plan_.of().regions[static_cast<std::size_t>(live.me())];
    locally(live, e, [&] {
      for (std::size_t r = 0; first && r < mine.size(); ++r) {
        const bytes& all = oracle_.at(live.me(), static_cast<int>(r)).data;
        if (!all.empty()) std::memcpy(live.base(static_cast<int>(r)), all.data(), all.size());
      }
      for (const preset& p : e.presets[static_cast<std::size_t>(live.me())])
        for (const auto& [offset, length] : kinds()[static_cast<std::size_t>(p.number)].typemap)
          std::memcpy(live.base(p.region) + p.at + offset, &p.value[offset], length);
    });
  }

  void compare(live_window& live, const epoch& e) {
    if (is_passive(e)) live.barrier();
    const auto& mine = plan_.of().regions[static_cast<std::size_t>(live.me())];
    locally(live, e, [&] {
      for (std::size_t r = 0; r < mine.size(); ++r) {
        const memory& m = oracle_.at(live.me(), static_cast<int>(r));
        const unsigned char* found = live.base(static_cast<int>(r));
        for (std::size_t i = 0; i < m.data.size(); ++i)
          if (m.care[i] && found[i] != m.data[i])
            fail(explain(e, live.me(), static_cast<int>(r), i, found[i], m.data[i]));
      }
    });
  }

  static std::string explain(const epoch& e, int me, int region, std::size_t at, int found, int expected) {
    std::string out = "byte " + std::to_string(at) + " of region " + std::to_string(region) + " of rank " +
                      std::to_string(me) + " of the window is " + std::to_string(found) + " instead of " +
                      std::to_string(expected);
    int said = 0;
    for (const access& a : e.accesses) {
      if (a.target != me || a.region != region || a.what == call::get) continue;
      for (const auto& [where, what] : a.at.elements) {
        const place from = a.base + where, here = static_cast<place>(at);
        if (here < from || here >= from + extent_of(what)) continue;
        if (said++ < 6) out += "\n  " + text(a);
        break;
      }
    }
    return said ? out : out + "\n  no access writes it";
  }

  std::uint64_t seed_;
  planner plan_;
  oracle oracle_;
};

}  // namespace
}  // namespace rma

int main(int argc, char** argv) {
  if (const char* number = std::getenv("RMA_RANDOM_THREADS")) rma::threads = std::atoi(number);
  int provided;
  MPI_Init_thread(&argc, &argv, rma::threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  start_world(argc, argv);
  CHECK(rma::threads >= 1 && (rma::threads == 1 || provided == MPI_THREAD_MULTIPLE));
  rma::leaves_gaps = on_loadstone();
  const char* given = std::getenv("LOADSTONE_TEST_SEED");
  const auto seed = std::strtoull(given ? given : argc > 2 ? argv[2] : "1", nullptr, 10);
  const int programs = argc > 3 ? std::atoi(argv[3]) : 20;
  const auto most_bytes = argc > 4 ? std::atol(argv[4]) : 65536;
  const int most_accesses = argc > 5 ? std::atoi(argv[5]) : 10;
  rma::show = std::getenv("RMA_RANDOM_SHOW") != nullptr;
  for (int i = 0; i < programs; ++i) {
    if (rma::show && rank == 0)
      std::fprintf(stderr, "seed %llu\n", seed + static_cast<unsigned long long>(i));
    rma::program(seed + static_cast<unsigned>(i), most_bytes, most_accesses).run();
  }
  MPI_Finalize();
  if (rank == 0) std::printf("rma_random: %d programs from seed %llu passed\n", programs, seed);
  return 0;
}
