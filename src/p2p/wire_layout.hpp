// What travels between processes in point-to-point active messages, and the record that both ends
// of a rendezvous see.
//
//   handler        traffic  header             payload
//   eager          user     envelope           the message
//   eager (sync)   user     answered_envelope  the message; answered by `done`
//   rendezvous     user     answered_envelope  offer: where the data lies; answered by `done`
//                                              (pulled), `help` or `clear`
//   taken          user     answered_envelope  offer, taken_body: it is deposited into an advert
//   advert         control  advert_header      advert_body: "a receive is posted, deposit into it"
//   help           control  help_header        - or memory::address: "copy a part of it"
//   given back     control  given_back_header  -: "I may not"
//   clear          control  clearance          -: "send me this range through cells"
//   data           control  data_header        a block of it, perhaps still being written
//   ack            control  ack_header         -: that many bytes have been taken
//   pushed         control  pushed_header      -: the receiver's request ends
//   done           control  done_header        -: the sender's request ends
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "deposit/endpoint.hpp"
#include "memory/address.hpp"

namespace loadstone::p2p {

using memory::local_address;

//   0 context | 8 numbers: 63 … 32 tag, 31 … 0 sequence | 16 end
// Both numbers in one word, as they are copied: a load of two stores has to wait for the cache.
struct envelope {
  std::uint64_t context;
  std::uint64_t numbers;

  static envelope of(std::uint64_t context, std::uint32_t sequence, std::int32_t tag) {
    return {context, sequence | std::uint64_t{static_cast<std::uint32_t>(tag)} << 32};
  }
  std::uint32_t sequence() const {  // per (sender, communicator); asserted by the receiver
    return static_cast<std::uint32_t>(numbers);
  }
  std::int32_t tag() const { return static_cast<std::int32_t>(numbers >> 32); }
};
static_assert(offsetof(envelope, numbers) == 8 && sizeof(envelope) == 16);

//   0 envelope | 16 record | 24 generation | 28 unused | 32 end
struct answered_envelope {
  envelope message;
  local_address record;      // the sender's rendezvous_record
  std::uint32_t generation;  // of that record, when this was sent
  std::uint32_t unused;
};
static_assert(offsetof(answered_envelope, record) == 16 && offsetof(answered_envelope, generation) == 24);
static_assert(sizeof(answered_envelope) == 32 && sizeof(answered_envelope) <= deposit::max_header);

// Where the sender's data lies. Nothing of it (address == 0 and bytes > 0): the layout is awkward,
// only the sender can pack it.
//   0 bytes | 8 address | 16 arena_offset | 24 region_number | 26 region_generation | 28 blocks |
//   32 list | 40 end
struct offer {
  std::int64_t bytes;  // of the message, packed
  std::uint64_t
      address;  // in the sender's address space: of the first byte (blocks == 0), or the lowest byte touched
  std::uint64_t arena_offset;  // the same byte in the sender's arena, or not_in_arena
  std::uint16_t region_number, region_generation;
  std::uint32_t blocks;  // 0: one block of `bytes`
  local_address list;    // of `blocks` offered_block, in packed order
};
static_assert(offsetof(offer, arena_offset) == 16 && offsetof(offer, region_number) == 24 &&
              offsetof(offer, list) == 32);
static_assert(sizeof(offer) == 40 && sizeof(answered_envelope) + sizeof(offer) <= deposit::max_inline);
inline constexpr std::uint64_t not_in_arena = ~std::uint64_t{0};

// Of a sender that is in the library until its message has been received: in its record, from when
// it begins to wait. One that waits for something else is there for now: if the receiver makes all
// of that, it stays; if it goes first, it is away.
enum pipeline_wish : std::uint32_t {
  pipeline_nothing = 0,
  pipeline_all = 1,
  pipeline_waits = 2,    // the sender waits, but another way is quicker
  pipeline_for_now = 3,  // receiver: all; sender: away. By compare-and-swap
  pipeline_away = 4,     // as nothing; will be for_now again, or all
};

//   0 address | 8 bytes | 16 end
struct offered_block {
  std::uint64_t address, bytes;
};
static_assert(offsetof(offered_block, bytes) == 8 && sizeof(offered_block) == 16);

//   0 record | 8 receiver | 16 from | 24 until | 32 end
struct clearance {
  local_address record;
  std::uint64_t receiver;    // token: the receive request, given back in data_header
  std::int64_t from, until;  // packed bytes
};
static_assert(offsetof(clearance, receiver) == 8 && offsetof(clearance, until) == 24);
static_assert(sizeof(clearance) == 32 && sizeof(clearance) <= deposit::max_header);

//   0 receiver | 8 offset | 16 flags | 24 end
enum data_flag : std::uint64_t {
  data_asks = 1,     // the sender waits for an ack after this block
  data_missing = 2,  // its program has no such memory
};
struct data_header {
  std::uint64_t receiver;
  std::int64_t offset;  // packed
  std::uint64_t flags;  // data_flag
};
static_assert(offsetof(data_header, offset) == 8 && offsetof(data_header, flags) == 16);
static_assert(sizeof(data_header) == 24 && sizeof(data_header) <= deposit::max_header);

//   0 record | 8 taken | 16 end
struct ack_header {
  local_address record;
  std::int64_t taken;  // every packed byte below has been copied out
};
static_assert(offsetof(ack_header, taken) == 8 && sizeof(ack_header) == 16);

// To whichever side was not the last to copy, or whose data was pushed.
//   0 receiver | 8 error | 16 bytes | 24 end
struct pushed_header {
  std::uint64_t receiver;  // token of its request
  std::int64_t error;
  std::int64_t bytes;  // of the message
};
static_assert(offsetof(pushed_header, bytes) == 16 && sizeof(pushed_header) == 24);

// A posted receive that its sender may fill by itself (adverts.hpp).
//   0 context | 8 sequence | 12 tag | 16 record | 24 generation | 28 unused | 32 end
struct advert_header {
  std::uint64_t context;
  std::uint32_t sequence;  // messages of that (sender, communicator) the receiver had taken in when it posted
  std::int32_t tag;
  local_address record;  // the receiver's: whoever brings it from pending to matched has the receive
  std::uint32_t generation;
  std::uint32_t unused;
};
static_assert(offsetof(advert_header, tag) == 12 && offsetof(advert_header, record) == 16 &&
              offsetof(advert_header, generation) == 24);
static_assert(sizeof(advert_header) == 32 && sizeof(advert_header) <= deposit::max_header);

//   0 receiver | 8 address | 16 bytes | 24 target | 40 mapped | 48 end
struct advert_body {
  std::uint64_t receiver;  // token
  std::uint64_t address;   // of the receive buffer, in the receiver's address space
  std::int64_t bytes;      // it holds
  memory::address target;  // the same in the receiver's arena, if `mapped`
  std::uint64_t mapped;
};
static_assert(offsetof(advert_body, bytes) == 16 && offsetof(advert_body, target) == 24 &&
              offsetof(advert_body, mapped) == 40);
static_assert(sizeof(advert_body) == 48 &&
              sizeof(advert_header) + sizeof(advert_body) <= deposit::max_inline);

//   0 offered | 40 advert | 48 advert_generation | 52 alone | 56 end
struct taken_body {
  offer offered;
  local_address advert;
  std::uint32_t advert_generation;
  std::uint32_t alone;  // the sender copies it all: the receiver only what it is given back
};
static_assert(offsetof(taken_body, advert) == 40 && offsetof(taken_body, alone) == 52);
static_assert(sizeof(taken_body) == 56 &&
              sizeof(answered_envelope) + sizeof(taken_body) <= deposit::max_inline);

//   0 record | 8 generation | 12 error | 16 end
struct done_header {
  local_address record;
  std::uint32_t generation;
  std::int32_t error;  // an MPI error class for the sender's request
};
static_assert(offsetof(done_header, generation) == 8 && offsetof(done_header, error) == 12);
static_assert(sizeof(done_header) == 16);

// "Copy a part of it", or all: from the receiver that has begun a transfer to its sender
// (shared_copy.hpp). The payload is the memory::address of the receive buffer when it lies in the
// receiver's arena, or nothing.
//   0 record | 8 receiver | 16 address | 24 total | 32 end
struct help_header {
  local_address record;
  std::uint64_t receiver;  // token, given back in pushed_header
  std::uint64_t
      address;         // of the receive buffer, in the receiver's address space; 0: the sender copies alone
  std::int64_t total;  // packed bytes
};
static_assert(offsetof(help_header, address) == 16 && offsetof(help_header, total) == 24);
static_assert(sizeof(help_header) == 32 && sizeof(help_header) <= deposit::max_header);

// The sender may not write into the receiver's memory: the block it had claimed goes back. Or it
// cannot claim any, as the record that counts them is out of its reach: the receiver has to.
//   0 receiver | 8 from | 16 end
struct given_back_header {
  std::uint64_t receiver;
  std::int64_t from;  // where the block begins, or no_block
};
inline constexpr std::int64_t no_block = -2;
static_assert(offsetof(given_back_header, from) == 8 && sizeof(given_back_header) == 16);

// One per send that somebody has to answer, in the sender's arena, and one per advertised receive,
// in the receiver's. `state` decides between the receiver that matches and the sender that cancels
// (advert: between the sender that deposits and the receiver that matches or cancels), without
// either asking the other. `claimed` and `copied`: block_claims.hpp.
//   0 state | 8 request | 16 wish | 24 unused | 64 claimed | 72 copied | 80 error |
//   84 receiver_waits | 128 end
struct alignas(64) rendezvous_record {
  std::atomic<std::uint64_t> state;  // generation << 2 | record_state. W: owner; peer pending → matched
  std::uint64_t request;             // the sender's own: its request, or the next free record
  std::atomic<std::uint64_t> wish;   // generation << 32 | pipeline_wish. W: owner; peer for_now → all
  std::byte unused[40];
  alignas(64) std::atomic<std::uint64_t> claimed;  // W: whoever copies: generation << 32 | blocks taken from
                                                   // the back << 16 | from the front
  std::atomic<std::uint64_t> copied;               // W: whoever copies: bytes that have arrived
  std::atomic<std::int32_t> error;                 // W: whoever copies: an MPI error class, before `copied`
  std::atomic<std::uint32_t> receiver_waits;       // W: the receiver, when it begins to: generation
};
enum record_state : std::uint64_t {
  record_free = 0,
  record_pending = 1,
  record_matched = 2,
  record_cancelled = 3
};
static_assert(offsetof(rendezvous_record, request) == 8 && offsetof(rendezvous_record, wish) == 16 &&
              offsetof(rendezvous_record, copied) == 72 && offsetof(rendezvous_record, error) == 80 &&
              offsetof(rendezvous_record, receiver_waits) == 84);
static_assert(offsetof(rendezvous_record, claimed) == 64 && sizeof(rendezvous_record) == 128);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

inline std::uint64_t state_word(std::uint32_t generation, record_state state) {
  return std::uint64_t{generation} << 2 | state;
}
inline std::uint64_t wish_word(std::uint32_t generation, std::uint32_t wish) {
  return std::uint64_t{generation} << 32 | wish;
}

}  // namespace loadstone::p2p
