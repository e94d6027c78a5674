// Compiles a datatype: makes its program (program.hpp) from its definition (definition.hpp).
#include <new>
#include <unordered_map>

#include "datatype/definition.hpp"
#include "datatype/program.hpp"

namespace loadstone::datatype {
namespace {

// A subtree and its offset in memory, before it is stored as the child of a node.
struct placed {
  std::int64_t offset = 0;
  node what;  // empty if it has no bytes
};

struct node_hash {
  std::size_t operator()(const node& n) const {
    std::size_t h = static_cast<std::size_t>(n.kind) * 31 + static_cast<std::size_t>(n.element);
    for (std::int64_t v : {static_cast<std::int64_t>(n.first), n.count, n.stride, n.length})
      h = (h ^ static_cast<std::size_t>(v)) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
  }
};

// Lists of at most so many entries are merged into the list around them. Longer ones are not, as
// otherwise programs of nested types would grow exponentially.
constexpr std::int64_t max_spliced = 8;

bool single_block(const node& n) {
  return n.kind == node_kind::block && n.count == 1;
}

}  // namespace

// The algebra of definition.hpp that builds programs.
class compiler {
 public:
  using value = placed;
  using list = std::vector<placed>;
  checked arithmetic;  // settle() has already refused what overflows

  explicit compiler(program::detail d) : typed_(d == program::detail::typed) {}

  placed block(basic kind) {
    const std::int64_t size = info(kind).size;
    node n{.element = typed_ ? kind : basic::none, .length = size, .bytes = size};
    if (typed_) n.elements = 1;
    return {0, n};
  }

  placed whole(const type& t) { return t.size() == 0 ? placed{} : evaluate(t.made(), *this); }
  placed part(const type& t) {
    if (t.made().nesting == 0) return whole(t);  // sooner made than found
    if (auto known = parts_.find(&t); known != parts_.end()) return known->second;
    placed p = whole(t);
    parts_.emplace(&t, p);
    return p;
  }

  placed repeat(const placed& p, std::int64_t count, std::int64_t stride) {
    if (count == 0 || p.what.bytes == 0) return {};
    return {p.offset, datatype::repeat(p.what, count, stride, [this](const node& n) { return intern(n); })};
  }

  void append(list& to, const placed& p, std::int64_t offset) {
    if (p.what.bytes == 0) return;
    const std::int64_t at = p.offset + offset;
    if (p.what.kind == node_kind::list && p.what.count <= max_spliced) {
      for (std::int64_t i = 0; i < p.what.count; i++) {
        const entry e = entries_[p.what.first + static_cast<std::size_t>(i)];
        append(to, {e.offset, nodes_[e.child]}, at);
      }
      return;
    }
    if (!to.empty() && single_block(p.what) && single_block(to.back().what)) {
      placed& last = to.back();
      if (last.what.element == p.what.element && last.offset + last.what.length == at) {
        last.what.length += p.what.length;
        last.what.bytes += p.what.bytes;
        last.what.elements += p.what.elements;
        return;
      }
    }
    to.push_back({at, p.what});
  }

  placed sequence(list&& items) {
    while (items.size() > 1 && fold_runs(items)) {
    }
    if (items.empty()) return {};
    if (items.size() == 1) return items[0];
    node n{.kind = node_kind::list, .first = static_cast<std::uint32_t>(entries_.size())};
    n.count = static_cast<std::int64_t>(items.size());
    const std::int64_t origin = items[0].offset;
    for (const placed& p : items) {
      const std::uint32_t child = intern(p.what);
      const bool small = single_block(p.what) && p.what.length <= UINT32_MAX;
      entries_.push_back(
          {p.offset - origin, n.bytes, child, small ? static_cast<std::uint32_t>(p.what.length) : 0});
      if (typed_) {
        elements_before_.resize(entries_.size());
        elements_before_.back() = n.elements;
      }
      n.bytes += p.what.bytes;
      n.elements += p.what.elements;
    }
    n.length = n.bytes;
    return {origin, n};
  }

  // Keeps the nodes that the root reaches. Others are left over from merged lists and levels.
  void finish(const placed& p, program& to) const {
    to.offset_ = p.offset;
    if (p.what.kind == node_kind::block) return to.nodes_.push_back(to.root_ = p.what);
    remains all(nodes_.size());
    const kept root = keep(p.what, all);
    to.nodes_.assign(all.nodes.begin(), all.nodes.end());
    to.entries_.assign(all.entries.begin(), all.entries.end());
    to.elements_before_.assign(all.elements_before.begin(), all.elements_before.end());
    to.root_id_ = root.id;
    to.root_ = to.nodes_[root.id];
    to.depth_ = root.depth;
  }

 private:
  std::uint32_t intern(const node& n) {
    auto [place, fresh] = ids_.try_emplace(n, static_cast<std::uint32_t>(nodes_.size()));
    if (fresh) nodes_.push_back(n);
    return place->second;
  }

  // Makes equal neighbours at equal distances one loop: three or more of them, or all entries of
  // the list. Pairs in an irregular list would only add nodes.
  bool fold_runs(list& items) {
    std::size_t out = 0;
    const std::size_t size = items.size();
    for (std::size_t i = 0; i < size;) {
      std::size_t run = 1;
      if (i + 1 < size && items[i + 1].what == items[i].what) {
        const std::int64_t distance = items[i + 1].offset - items[i].offset;
        while (i + run < size && items[i + run].what == items[i].what &&
               items[i + run].offset - items[i + run - 1].offset == distance)
          run++;
        if (run >= 3 || run == size) {
          items[out++] = repeat(items[i], static_cast<std::int64_t>(run), distance);
          i += run;
          continue;
        }
      }
      items[out++] = items[i++];
    }
    items.resize(out);
    return out < size;
  }

  struct kept {
    std::uint32_t id = 0;
    int depth = 0;  // 0: not kept yet
  };
  struct remains {
    explicit remains(std::size_t nodes_before) : known(nodes_before) {}
    std::vector<kept> known;  // by the number of a node before
    room<1024> here;
    std::pmr::vector<node> nodes{&here};
    std::pmr::vector<entry> entries{&here};
    std::pmr::vector<std::int64_t> elements_before{&here};
  };
  kept keep(node n, remains& to) const {
    auto child = [&](std::uint32_t id) {
      if (to.known[id].depth == 0) to.known[id] = keep(nodes_[id], to);
      return to.known[id];
    };
    int below = 0;
    if (n.kind == node_kind::loop) {
      const kept c = child(n.first);
      n.first = c.id;
      below = c.depth;
    } else if (n.kind == node_kind::list) {
      const auto from = entries_.begin() + n.first;
      std::vector<entry> mine(from, from + n.count);
      for (entry& e : mine) {
        const kept c = child(e.child);
        e.child = c.id;
        below = std::max(below, c.depth);
      }
      if (typed_) {
        const auto first = elements_before_.begin() + n.first;
        to.elements_before.insert(to.elements_before.end(), first, first + n.count);
      }
      n.first = static_cast<std::uint32_t>(to.entries.size());
      to.entries.insert(to.entries.end(), mine.begin(), mine.end());
    }
    to.nodes.push_back(n);
    return {static_cast<std::uint32_t>(to.nodes.size() - 1), below + 1};
  }

  const bool typed_;
  // All that is made on the way, as in a program.
  std::vector<node> nodes_;
  std::vector<entry> entries_;
  std::vector<std::int64_t> elements_before_;
  std::unordered_map<node, std::uint32_t, node_hash> ids_;
  std::unordered_map<const type*, placed> parts_;
};

const program* program::compile(const type& t, detail d) {
  program* fresh = nullptr;
  try {
    fresh = new program;
    compiler c(d);
    c.finish(c.whole(t), *fresh);
    return fresh;
  } catch (const std::bad_alloc&) {
    delete fresh;
    return nullptr;
  }
}

}  // namespace loadstone::datatype
