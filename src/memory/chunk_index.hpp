// Which of our chunks holds this address? Every large message asks, from any thread, and mostly the
// answer is "none". Readers take no lock. A writer holds the arena's mutex and changes a sequence
// number; a reader that finds another number than before reads again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "memory/arena_layout.hpp"

namespace loadstone::memory {

struct chunk_place {
  std::uintptr_t base, end;  // mapped at
  std::uint64_t id;          // region number | generation << 16
};

class chunk_index {
 public:
  chunk_index() : places_(static_cast<place*>(std::calloc(max_regions, sizeof(place)))) {
    if (places_ == nullptr) throw std::bad_alloc();
  }

  bool find(std::uintptr_t at, std::size_t bytes, chunk_place* found) const {
    for (;;) {
      std::uint32_t before = sequence_.load(std::memory_order_acquire);  // sync: chunk-index
      if (before & 1) continue;  // a writer moves a few words; no system call in there
      // acquire on every word, so that the second look at the sequence cannot come before them
      std::uintptr_t low = low_.load(std::memory_order_acquire), high = high_.load(std::memory_order_acquire);
      bool hit = false;
      if (at >= low && at < high) hit = search(at, found);
      if (sequence_.load(std::memory_order_relaxed) != before) continue;
      return hit && bytes <= found->end - at;
    }
  }

  void insert(const chunk_place& p) {
    begin_write();
    std::uint32_t n = count_.load(std::memory_order_relaxed);  // relaxed: writers hold the mutex
    std::uint32_t at = n;
    while (at > 0 && word(places_[at - 1].base).load(std::memory_order_relaxed) > p.base) {
      copy(at, at - 1);
      --at;
    }
    set(at, p);
    count_.store(n + 1, std::memory_order_release);  // sync: chunk-index
    end_write();
  }

  void erase(std::uintptr_t base) {
    begin_write();
    std::uint32_t n = count_.load(std::memory_order_relaxed), at = 0;  // relaxed: writers hold the mutex
    while (at < n && word(places_[at].base).load(std::memory_order_relaxed) != base) ++at;
    if (at < n) {
      for (; at + 1 < n; ++at) copy(at, at + 1);
      count_.store(n - 1, std::memory_order_release);  // sync: chunk-index
    }
    end_write();
  }

 private:
  struct place {
    std::uintptr_t base, end;
    std::uint64_t id;
  };
  struct release {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <class Word>
  static std::atomic_ref<Word> word(Word& w) {
    return std::atomic_ref<Word>(w);
  }

  bool search(std::uintptr_t at, chunk_place* found) const {
    std::uint32_t first = 0, last = count_.load(std::memory_order_acquire);  // sync: chunk-index
    while (first < last) {  // the last place whose base is not above `at`
      std::uint32_t middle = (first + last) / 2;
      if (word(places_[middle].base).load(std::memory_order_acquire) <= at)
        first = middle + 1;
      else
        last = middle;
    }
    if (first == 0) return false;
    place& p = places_[first - 1];
    found->base = word(p.base).load(std::memory_order_acquire);
    found->end = word(p.end).load(std::memory_order_acquire);
    found->id = word(p.id).load(std::memory_order_acquire);
    return at < found->end && at >= found->base;
  }
  // relaxed reads below: only writers change these words, and they hold the mutex. Release on every
  // store, so that a reader who sees a new word also sees the odd sequence number (sync:
  // chunk-index).
  void set(std::uint32_t at, const chunk_place& p) {
    word(places_[at].base).store(p.base, std::memory_order_release);
    word(places_[at].end).store(p.end, std::memory_order_release);
    word(places_[at].id).store(p.id, std::memory_order_release);
  }
  void copy(std::uint32_t to, std::uint32_t from) {
    set(to, {word(places_[from].base).load(std::memory_order_relaxed),
             word(places_[from].end).load(std::memory_order_relaxed),
             word(places_[from].id).load(std::memory_order_relaxed)});
  }
  void begin_write() {
    sequence_.store(sequence_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void end_write() {
    std::uint32_t n = count_.load(std::memory_order_relaxed);
    low_.store(n == 0 ? UINTPTR_MAX : word(places_[0].base).load(std::memory_order_relaxed),
               std::memory_order_release);
    high_.store(n == 0 ? 0 : word(places_[n - 1].end).load(std::memory_order_relaxed),
                std::memory_order_release);
    sequence_.store(sequence_.load(std::memory_order_relaxed) + 1,
                    std::memory_order_release);  // sync: chunk-index
  }

  std::atomic<std::uint32_t> sequence_{0}, count_{0};
  std::atomic<std::uintptr_t> low_{UINTPTR_MAX}, high_{0};
  std::unique_ptr<place[], release> places_;  // zeros: pages that are not used are not there
};

}  // namespace loadstone::memory
