#include "io/file.hpp"

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <vector>

#include "base/clock.hpp"
#include "io/collective.hpp"
#include "io/engine.hpp"

namespace loadstone::io {
namespace {

trouble of(const base::status& why) {
  return why.ok() ? trouble{} : trouble{why.number != 0 ? why.number : EIO, why.what};
}

// Bytes of a file that nobody else touches meanwhile.
class range_lock {
 public:
  range_lock(stored_file& file, const view& v, std::int64_t at, std::int64_t bytes, bool alone)
      : file_(file) {
    const std::int64_t first = v.offset_of(at), last = v.offset_of(at + bytes - 1);
    why_ = file.lock(first, last - first + 1, alone);
  }
  ~range_lock() {
    if (why_.ok()) file_.unlock();
  }
  range_lock(const range_lock&) = delete;
  range_lock& operator=(const range_lock&) = delete;
  trouble why() const { return why_; }

 private:
  stored_file& file_;
  trouble why_;
};

}  // namespace

std::int64_t bytes_in_file(const memory_data& data, const representation& r, trouble* why) {
  if (r.as_in_memory()) return data.bytes();
  const datatype::type* t = in_file(*data.type, r, why);
  if (t == nullptr) return -1;
  const std::int64_t one = t->size();
  t->release();
  std::int64_t all;
  if (!__builtin_mul_overflow(one, data.count, &all)) return all;
  *why = {EOVERFLOW, "the data has more bytes in the file than 64 bits count"};
  return -1;
}

file::file(engine& e, open_how how)
    : engine_(e), how_(std::move(how)), ahead_(&e.job().io(e.job().self()).reads) {}

file::~file() = default;

// The first member opens alone, and makes the file if need be; so the others find it.
trouble file::open(team& all, bool append) {
  struct beginning {
    std::int32_t number;
    std::int64_t end;
    memory::address pointer;
    std::uint64_t together;
  } first{};
  trouble mine;
  open_how how = how_;
  how.group = all.size();
  how.member = all.rank();
  view_ = view::bytes();
  if (all.rank() == 0) {
    stored_ = engine_.storage().open(how, &mine);
    if (mine.ok()) mine = of(shared_.make(engine_));
    if (mine.ok() && append) mine = stored_->size(&first.end);
    if (mine.ok()) mine = of(shared_.set(first.end));
    first.number = mine.number;
    first.pointer = shared_.where();
  }
  if (int e = all.bcast(&first, sizeof first, 0)) return lost(e);
  if (first.number == 0 && all.rank() != 0) {
    how.create = how.exclusive = false;
    stored_ = engine_.storage().open(how, &mine);
    shared_.join(engine_, first.pointer);
  }
  position_ = first.end;
  return agree(all, mine);
}

trouble file::close(team& all, bool remove) {
  ahead_.stop();  // it has our descriptor
  trouble mine = stored_->close();
  mine = agree(all, mine);
  if (remove) {
    trouble removed;
    if (all.rank() == 0) removed = engine_.storage().remove(how_.path);
    removed = agree(all, removed);
    if (mine.ok()) mine = removed;
  }
  // Nobody uses the shared pointer any more.
  if (all.size() == 1 || mine.number >= 0) shared_.leave();
  return mine;
}

trouble file::resize(team& all, std::int64_t bytes) {
  if (trouble t = agree(all, stored_->settle()); !t.ok()) return t;
  return agree(all, all.rank() == 0 ? stored_->resize(bytes) : trouble{});
}

trouble file::reserve(team& all, std::int64_t bytes) {
  if (trouble t = agree(all, stored_->settle()); !t.ok()) return t;
  return agree(all, all.rank() == 0 ? stored_->reserve(bytes) : trouble{});
}

// What is settled goes to the device by one call, whoever wrote it.
trouble file::sync(team& all) {
  if (trouble t = agree(all, stored_->settle()); !t.ok()) return t;
  return agree(all, all.rank() == 0 ? stored_->sync() : stored_->settle());
}

trouble file::set_atomic(team& all, bool on) {
  trouble mine = agree(all, stored_->settle());
  if (mine.ok()) mine = stored_->set_atomic(on);
  // Without locks nothing can be promised.
  if (mine.ok() && on && stored_->kind().regular) {
    mine = stored_->lock(0, 1, how_.write);
    if (mine.ok()) stored_->unlock();
  }
  mine = agree(all, mine);
  if (mine.ok()) atomic_.store(on, std::memory_order_relaxed);  // as atomic()
  return mine;
}

// The shared pointer may be in use by a member that has not come here yet, and is not set before
// all have; nobody goes on before it is set.
trouble file::set_view(team& all, std::shared_ptr<const view> v) {
  if (int e = all.barrier()) return lost(e);
  {
    const std::lock_guard guard(lock_);
    view_ = std::move(v);
    position_ = 0;
  }
  trouble mine;
  if (all.rank() == 0) mine = of(shared_.set(0));
  if (int e = all.barrier()) return lost(e);
  return mine;
}

trouble file::seek_shared(team& all, std::int64_t etypes) {
  if (int e = all.barrier()) return lost(e);
  trouble mine;
  if (all.rank() == 0) mine = of(shared_.set(etypes));
  if (int e = all.barrier()) return lost(e);
  return mine;
}

std::shared_ptr<const view> file::current_view() const {
  const std::lock_guard guard(lock_);
  return view_;
}

std::int64_t file::position() const {
  const std::lock_guard guard(lock_);
  return position_;
}

void file::seek(std::int64_t etypes) {
  const std::lock_guard guard(lock_);
  position_ = etypes;
}

void file::set_hints(const hints& h) {
  const std::lock_guard guard(lock_);
  hints_ = h;
}

hints file::current_hints() const {
  const std::lock_guard guard(lock_);
  return hints_;
}

trouble file::shared_position(std::int64_t* etypes) {
  auto now = shared_.value();
  if (!now) return of(now.error());
  *etypes = *now;
  return {};
}

trouble file::end_in_view(std::int64_t* etypes) {
  std::int64_t bytes = 0;
  if (trouble t = stored_->size(&bytes); !t.ok()) return t;
  const auto v = current_view();
  const std::int64_t shown = v->bytes_before(bytes);
  *etypes = shown / v->unit() + (shown % v->unit() != 0);
  return {};
}

trouble file::plan(const access_kind& kind, std::int64_t offset, const memory_data& data, planned* out) {
  planned p{kind, data, current_view(), 0, -1};
  const view& v = *p.through;
  trouble why;
  const std::int64_t bytes = bytes_in_file(data, v.data(), &why);
  if (bytes < 0) return why;
  if (bytes % v.unit() != 0)
    return {EINVAL, "the data has " + std::to_string(bytes) +
                        " bytes in the file, which is no multiple of the etype's " +
                        std::to_string(v.unit())};
  if (bytes > 0 && v.empty())
    return {EINVAL, "there is data, and the view of this process shows no bytes of the file"};
  p.etypes = bytes / v.unit();
  const auto fits = [&v, &p](std::int64_t at) {
    std::int64_t end;
    return !__builtin_add_overflow(at, p.etypes, &end) && !__builtin_mul_overflow(end, v.unit(), &end) &&
           (p.etypes == 0 || v.reaches(end));
  };
  const trouble beyond{EOVERFLOW, "the data ends at an offset that 64 bits do not hold"};
  if (kind.where == place::explicit_offset) {
    p.offset = offset;
    if (!fits(offset)) return beyond;
  } else if (kind.where == place::individual) {
    const std::lock_guard guard(lock_);
    if (!fits(position_)) return beyond;
    p.offset = position_;
    position_ += p.etypes;
  } else if (!kind.collective) {
    auto before = shared_.add(p.etypes);
    if (!before) return of(before.error());
    if (!fits(*before)) return beyond;
    p.offset = *before;
  }
  *out = std::move(p);
  return {};
}

// Of ordered access: behind what the members of lower ranks have.
trouble file::find_place(team& all, planned& p) {
  std::vector<std::int64_t> etypes(static_cast<std::size_t>(all.size()));
  if (int e = all.allgather(&p.etypes, sizeof p.etypes, etypes.data())) return lost(e);
  std::int64_t before = 0, sum = 0;
  for (std::size_t i = 0; i < etypes.size(); ++i) {
    if (static_cast<int>(i) < all.rank()) before += etypes[i];
    sum += etypes[i];
  }
  struct {
    std::int32_t number = 0;
    std::int64_t at = 0;
  } start;
  trouble mine;
  if (all.rank() == 0) {
    auto at = shared_.add(sum);
    if (at)
      start.at = *at;
    else
      mine = of(at.error());
    start.number = mine.number;
  }
  if (int e = all.bcast(&start, sizeof start, 0)) return lost(e);
  p.offset = start.at + before;
  if (start.number != 0 && mine.ok()) return {start.number, "the shared pointer cannot be reached"};
  return mine;
}

trouble file::run(team& all, planned& p, std::int64_t* done) {
  *done = 0;
  if (p.kind.where == place::shared && p.kind.collective) {
    if (trouble t = find_place(all, p); !t.ok()) return t;
  }
  if (p.through->data().as_in_memory()) return move(all, p, p.data, done);
  return move_converted(all, p, done);
}

// What comes next, if reads go on as they did, is fetched behind them.
trouble file::move(team& all, const planned& p, const memory_data& data, std::int64_t* done) {
  const std::int64_t at = p.offset * p.through->unit(), bytes = data.bytes();
  if (p.kind.write || bytes == 0) return move_now(all, p, data, done);
  ahead_.begins(*p.through, at, bytes);
  const std::uint64_t began = base::now_ns();
  trouble t = move_now(all, p, data, done);
  if (t.ok() && *done == bytes)
    ahead_.ended(*stored_, p.through, at, bytes, base::now_ns() - began, current_hints().read_ahead_bytes);
  return t;
}

trouble file::move_now(team& all, const planned& p, const memory_data& data, std::int64_t* done) {
  const view& v = *p.through;
  const std::int64_t at = p.offset * v.unit();
  const bool by_turns = p.kind.where == place::shared && p.kind.collective && !stored_->kind().seekable;
  if (p.kind.collective && p.kind.where != place::shared && !atomic()) {
    return p.kind.write ? write_together(all, *stored_, v, at, data, current_hints(), done)
                        : read_together(all, *stored_, v, at, data, current_hints(), done);
  }
  if (by_turns) {
    if (int e = all.await_turn()) return lost(e);
  }
  trouble mine;
  if (data.bytes() > 0) {
    std::unique_ptr<range_lock> locked;
    if (atomic() && stored_->kind().regular) {
      locked = std::make_unique<range_lock>(*stored_, v, at, data.bytes(), p.kind.write);
      mine = locked->why();
    }
    if (mine.ok())
      mine = with_memory([&] {
        return p.kind.write ? write_alone(*stored_, v, at, data, done)
                            : read_alone(*stored_, v, at, data, current_hints(), done);
      });
  }
  if (by_turns) {
    if (int e = all.pass_turn()) return lost(e);
  }
  return p.kind.collective ? agree(all, mine) : mine;
}

// How many elements of the data are converted at a time: whole etypes, in a buffer that the hints
// allow. All at once in atomic mode, as one lock covers all of it, and where members take turns.
std::int64_t file::converted_at_a_time(const planned& p, std::int64_t one) const {
  if (one == 0 || atomic() || !stored_->kind().seekable) return std::max<std::int64_t>(p.data.count, 1);
  const hints h = current_hints();
  const std::int64_t unit = p.through->unit(), least = unit / std::gcd(one, unit);
  return std::max<std::int64_t>(std::max(h.collective_bytes, h.sieve_bytes) / one / least, 1) * least;
}

// Part by part through a buffer in which everything is as in the file. Who cannot have one takes
// part in all that others do, with nothing, as they may wait for it.
trouble file::move_converted(team& all, const planned& p, std::int64_t* done) {
  const representation& r = p.through->data();
  const datatype::type& byte = *datatype::predefined_type(datatype::basic::byte);
  const std::int64_t count = p.data.count, unit = p.through->unit(),
                     one = count > 0 ? p.etypes * unit / count : 0;  // bytes of an element in the file
  const std::int64_t each = converted_at_a_time(p, one);
  std::int64_t parts = std::max<std::int64_t>((count + each - 1) / each, 1);
  if (p.kind.collective) {
    std::vector<std::int64_t> of_all(static_cast<std::size_t>(all.size()));
    if (int e = all.allgather(&parts, sizeof parts, of_all.data())) return lost(e);
    parts = *std::max_element(of_all.begin(), of_all.end());
  }
  std::vector<std::byte> buffer;
  trouble mine;
  try {
    buffer.resize(static_cast<std::size_t>(std::min(each, count) * one));
  } catch (const std::bad_alloc&) {
    mine = {ENOMEM, "no memory to convert the data in"};
  }
  bool ended = false;  // the file
  for (std::int64_t part = 0, first = 0; part < parts; ++part, first += each) {
    std::int64_t n = mine.ok() && !ended ? std::clamp<std::int64_t>(count - first, 0, each) : 0;
    auto* const address =
        static_cast<std::byte*>(p.data.address) + (n > 0 ? first * p.data.type->extent() : 0);
    if (p.kind.write && n > 0) {
      mine = r.to_file(address, n, *p.data.type, buffer.data());
      if (!mine.ok()) n = 0;
    }
    if (n == 0 && !p.kind.collective) break;
    planned here = p;
    here.offset += first * one / unit;
    std::int64_t moved = 0;
    trouble t = move(all, here, {buffer.data(), n * one, &byte}, &moved);
    if (mine.ok()) mine = t;
    // Of the last element, a part may have been beyond the end of the file: it is not delivered.
    const std::int64_t whole = one > 0 ? moved / one : 0;
    if (!p.kind.write && whole > 0) {
      trouble back = r.from_file(address, whole, *p.data.type, buffer.data());
      if (mine.ok()) mine = back;
    }
    ended = ended || whole < n;
    *done += whole * p.data.type->size();
  }
  return mine;
}

}  // namespace loadstone::io
