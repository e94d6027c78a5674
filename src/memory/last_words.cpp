#include "memory/last_words.hpp"

#include <algorithm>
#include <cstring>

namespace loadstone::memory {

void leave_last_words(process_entry& entry, last_words kind, std::int32_t exit_code, std::string_view text) {
  auto expected = static_cast<std::uint32_t>(last_words::none);
  // relaxed: only threads of one process compete for their own entry.
  if (!entry.words.compare_exchange_strong(expected, static_cast<std::uint32_t>(last_words::writing),
                                           std::memory_order_relaxed))
    return;
  std::size_t bytes = std::min(text.size(), last_words_bytes - 1);
  entry.exit_code = exit_code;
  entry.words_bytes = static_cast<std::uint32_t>(bytes);
  std::memcpy(entry.words_text, text.data(), bytes);
  entry.words_text[bytes] = 0;
  entry.words.store(static_cast<std::uint32_t>(kind), std::memory_order_release);  // sync: last-words
}

}  // namespace loadstone::memory
