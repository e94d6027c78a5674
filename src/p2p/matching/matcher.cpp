#include "p2p/matching/matcher.hpp"

#include <cstdio>
#include <cstdlib>

namespace loadstone::p2p {

void broken(const char* what) {
  std::fprintf(stderr, "loadstone: defect in point-to-point messages: %s\n", what);
  std::abort();
}

void matcher::check_gap(message_order& s, const match_key& key, std::uint32_t sequence, bool ahead) {
  const std::uint32_t due = s.next();
  if (!(ahead ? s.taken(sequence) : s.arrived(sequence))) [[unlikely]] {
    char what[200];
    std::snprintf(what, sizeof what,
                  "message %u of process %u in context %llx, tag %d, came%s at process %u where %u was due",
                  sequence, key.process, static_cast<unsigned long long>(key.context), key.tag,
                  ahead ? " out of its sender's queue" : "", self_, due);
    broken(what);
  }
  if (s.fetch(sequence)) [[unlikely]]
    left_.remove(key);
}

}  // namespace loadstone::p2p
