#include "coll/messenger.hpp"

namespace loadstone::coll {

namespace {

class p2p_messenger final : public messenger {
 public:
  explicit p2p_messenger(p2p::engine& p2p) : p2p_(p2p) {}
  p2p::request* send(p2p::scope& where, p2p::buffer data, std::int32_t peer, std::int32_t tag) override {
    return p2p_.send(where, data, peer, tag, p2p::send_mode::standard);
  }
  p2p::request* receive(p2p::scope& where, p2p::buffer data, std::int32_t peer, std::int32_t tag) override {
    return p2p_.receive(where, data, peer, tag);
  }
  void free(p2p::request* r) override { p2p_.free(r); }
  void cancel(p2p::request* r) override { p2p_.cancel(r); }
  void complete(p2p::request& r) override { p2p_.complete(r); }
  bool wait(p2p::request& r, const wait::reason& why) override { return p2p_.wait(r, why); }
  void wait_begins(p2p::request& r) override { p2p_.wait_begins(r); }
  bool wait_until(wait::condition done, const wait::reason& why) override {
    return p2p_.wait_until(done, why);
  }
  void poll_if_due() override {
    if (p2p_.poll_is_due()) [[unlikely]]
      p2p_.progress();
  }
  void want_progress(bool more) override { p2p_.want_progress(more); }
  bool leave_to_program(void (*work)(void*), void* context) override {
    return p2p_.leave_to_program(work, context);
  }

 private:
  p2p::engine& p2p_;
};

}  // namespace

std::unique_ptr<messenger> make_messenger(p2p::engine& p2p) {
  return std::make_unique<p2p_messenger>(p2p);
}

}  // namespace loadstone::coll
