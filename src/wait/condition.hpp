// What a wait waits for: anything that says whether it has come, and outlives the wait.
#pragma once

#include <concepts>
#include <type_traits>

namespace loadstone::wait {

// Asked under the gate, by any thread, any number of times, also after it has held.
class condition {
 public:
  template <class Done>
    requires(!std::same_as<std::remove_cvref_t<Done>, condition>)
  condition(Done&& done)
      : ask_([](void* d) -> bool { return (*static_cast<std::remove_reference_t<Done>*>(d))(); }),
        done_(const_cast<void*>(static_cast<const void*>(&done))) {}
  bool operator()() const { return ask_(done_); }

 private:
  bool (*ask_)(void*);
  void* done_;
};

inline constexpr auto never = [] { return false; };

}  // namespace loadstone::wait
