// Requests of processes to the launcher, and its answers: a pool of slots that all processes of a
// job share, behind the board of the job memory.
//
//   0      what the ends sleep on                     1 isolation of 128 bytes each
//   256    slots                                      32 × 4096 bytes
//
// A slot goes from `free` through all states and back. Its word names state, owner and the use it
// is of, so that whoever finds it knows whose it is at every moment:
//
//   free → claimed      a process, by compare-and-swap; it writes kind and body
//   claimed → published the same process, which rings the launcher
//   published → serving the launcher; it has read the body, and may answer now or later
//   serving → answered  the launcher, which rings the process; the body holds the answer
//   answered → free     the process, which has read it
//   any → free          the launcher, if the process is dead
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::memory {

inline constexpr std::uint32_t request_slots = 32;

enum class request_state : std::uint8_t { free = 0, claimed, published, serving, answered };

//   0 state | 8 owner (process) | 32 number of the use
constexpr std::uint64_t request_word(request_state state, std::uint32_t owner, std::uint32_t number) {
  return static_cast<std::uint64_t>(state) | std::uint64_t{owner} << 8 | std::uint64_t{number} << 32;
}
constexpr request_state state_of_request(std::uint64_t word) {
  return static_cast<request_state>(word & 0xff);
}
constexpr std::uint32_t owner_of_request(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 8) & 0xffffff;
}
constexpr std::uint32_t number_of_request(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32);
}
constexpr std::uint64_t with_state(std::uint64_t word, request_state state) {
  return request_word(state, owner_of_request(word), number_of_request(word));
}

//   0 word | 8 kind | 12 bytes | 128 bell | 256 body | 4096 end
struct request_slot {
  std::atomic<std::uint64_t> word;  // sync: request-claim, request-publish, request-answer
  std::uint32_t kind;   // request_kind; W: the owner. 0 in an answer: the launcher does not know it
  std::uint32_t bytes;  // of the body that count; W: the owner, then the launcher
  alignas(isolation) std::atomic<std::uint32_t> bell;  // moves when the slot is answered; W: the launcher
  alignas(isolation) std::byte body[4096 - 2 * isolation];
};
static_assert(offsetof(request_slot, kind) == 8 && offsetof(request_slot, bytes) == 12);
static_assert(offsetof(request_slot, bell) == 128 && offsetof(request_slot, body) == 256);
static_assert(sizeof(request_slot) == 4096);

//   0 called | 128 freed | 256 slots
struct request_area {
  std::atomic<std::uint32_t> called;  // moves with every request; the launcher sleeps on it
  alignas(isolation)
      std::atomic<std::uint32_t> freed;  // moves when a slot becomes free; who finds none sleeps on it
  alignas(isolation) request_slot slots[request_slots];
};
static_assert(offsetof(request_area, freed) == 128 && offsetof(request_area, slots) == 256);
static_assert(sizeof(request_area) == 256 + std::size_t{request_slots} * 4096);

// --- what is asked: for each kind a struct, which names its answer ---

enum class request_kind : std::uint32_t {
  none = 0,
  publish_name = 1,
  lookup_name = 2,
  unpublish_name = 3,
  buffer_file = 4,
  release_file = 5,
};

inline constexpr std::size_t name_bytes = 1024;  // of a service or a port, with the zero at its end

enum class name_outcome : std::uint32_t {
  done = 0,
  taken = 1,    // the service is published already
  unknown = 2,  // it is not, or with another port
  full = 3,     // too many are
  garbled = 4,  // not a string
};

//   0 service | 1024 port | 2048 end
struct publish_name {
  static constexpr request_kind kind = request_kind::publish_name;
  struct answer {
    name_outcome outcome;
  };
  char service[name_bytes], port[name_bytes];
};

struct lookup_name {
  static constexpr request_kind kind = request_kind::lookup_name;
  //   0 outcome | 4 port | 1028 end
  struct answer {
    name_outcome outcome;
    char port[name_bytes];
  };
  char service[name_bytes];
};

struct unpublish_name {
  static constexpr request_kind kind = request_kind::unpublish_name;
  struct answer {
    name_outcome outcome;
  };
  char service[name_bytes], port[name_bytes];
};
static_assert(offsetof(publish_name, port) == 1024 && sizeof(publish_name) == 2048);
static_assert(offsetof(unpublish_name, port) == 1024 && sizeof(unpublish_name) == 2048);
static_assert(sizeof(lookup_name) == 1024);

inline constexpr std::size_t file_name_bytes = 3072;  // of a file, for messages; cut if it is longer

// May writes to this open file be accepted before they are made (io_layout.hpp)? The launcher takes
// a descriptor of its own for it, which is the same open file, and so outlives the asker.
//   0 descriptor | 8 device | 16 inode | 24 path | 3096 end
struct buffer_file {
  static constexpr request_kind kind = request_kind::buffer_file;
  //   0 file | 8 number | 16 end
  struct answer {
    std::uint64_t file;   // io_file_id; 0: no
    std::int32_t number;  // errno of what was refused
    std::uint32_t unused_;
  };
  std::int32_t descriptor;  // in the process that asks; -1: by `path` only
  std::uint32_t unused_;
  std::uint64_t device, inode;
  char path[file_name_bytes];  // absolute
};

// Everything that the asker has had accepted for it is written.
struct release_file {
  static constexpr request_kind kind = request_kind::release_file;
  struct answer {
    std::uint32_t done;
  };
  std::uint64_t file;
};
static_assert(offsetof(buffer_file, device) == 8 && offsetof(buffer_file, path) == 24);
static_assert(sizeof(buffer_file) == 24 + file_name_bytes && sizeof(buffer_file::answer) == 16);
static_assert(sizeof(release_file) == 8);
static_assert(offsetof(lookup_name::answer, port) == 4 && sizeof(lookup_name::answer) == 1028);

}  // namespace loadstone::memory
