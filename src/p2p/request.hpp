// The base of everything that can be waited for: messages, collectives, generalized, persistent and
// partitioned requests.
#pragma once

#include <atomic>
#include <cstdint>

namespace loadstone::p2p {

// What MPI_Status is made from; bytes are counted in packed (type-map) form.
struct outcome {
  // Of a send that has failed: the peer, and its tag. MPI_ANY_TAG etc. are mapped at the API.
  std::int32_t source = -2;
  std::int32_t tag = -1;
  std::int32_t error = 0;  // an MPI error class (numbers of the ABI); 0 = success
  bool cancelled = false;
  std::int64_t bytes = 0;
  // Of error_buffer: what the program does not have; null: it is in the peer's program.
  const void* unreachable = nullptr;
};

// Messages first.
enum class request_kind : std::uint8_t { send, receive, collective, generalized, persistent, partitioned };

// Owned by whoever created it until free() — the MPI layer wraps one in a handle. All fields but
// `complete` are protected by the gate.
class request {
 public:
  request_kind kind;
  std::atomic<bool> complete{
      false};  // sync: request-complete — release by the completer, acquire by whoever tests it
  outcome result;
  // Called once, under the gate, at completion; may start further operations. Schedules advance by
  // it.
  void (*on_complete)(request&, void* context) = nullptr;
  void* context = nullptr;

  virtual ~request() = default;

  bool is_message() const { return kind <= request_kind::receive; }

 protected:
  explicit request(request_kind k) : kind(k) {}
};

}  // namespace loadstone::p2p
