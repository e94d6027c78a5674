#include "rank/rank.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/fault.hpp"
#include "base/valgrind.hpp"
#include "rank/settings.hpp"

namespace loadstone {

namespace {

bool number_from(const char* name, unsigned long long* value) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == 0) return false;
  char* end = nullptr;
  *value = std::strtoull(text, &end, 10);
  return end != text && *end == 0;
}

}  // namespace

rank::config rank::config::from_environment(std::string* complaint) {
  config c;
  if (complaint != nullptr) *complaint += complaints_about_settings();
  c.p2p = p2p::engine_config::from_environment();
  c.coll = coll::choices::from_environment();
  unsigned long long n = 0;
  if (number_from("LOADSTONE_MAPPINGS", &n) && n > 0) c.mappings.max_entries = n;
  // Both ends write into such a line, each behind the other's valgrind's back; what they say is
  // short, and no place to tell it.
  if (base::under_valgrind()) c.endpoint.pair_lines = 0;
  if (number_from("LOADSTONE_PAIR_LINES", &n))
    c.endpoint.pair_lines = static_cast<std::uint32_t>(std::min<decltype(n)>(n, 1024));
  if (number_from("LOADSTONE_INBOX_SLOTS", &n) && n >= 2 && (n & (n - 1)) == 0) {
    c.endpoint.inbox_slots = static_cast<std::uint32_t>(n);
  }
  if (number_from("LOADSTONE_OVERLAP", &n))
    c.endpoint.overlap = static_cast<std::uint32_t>(std::min(n, 2ull));
  if (const char* name = std::getenv("LOADSTONE_TRANSPORT"); name != nullptr)
    c.endpoint.transport.rule = transport::choice::named(name);
  if (number_from("LOADSTONE_INTEGRITY", &n)) c.endpoint.transport.integrity = n == 1;
  if (number_from("LOADSTONE_POOR_LOSES", &n))
    c.endpoint.transport.lost = static_cast<std::uint32_t>(std::min(n, 500'000ull));
  if (number_from("LOADSTONE_CELLS", &n) && n > 0) c.endpoint.cell_bytes_limit = n;
  using kind = deposit::endpoint_config::progress_kind;
  const char* progress = std::getenv("LOADSTONE_PROGRESS");
  if (progress != nullptr && std::string_view(progress) == "on") c.endpoint.progress = kind::on;
  if (progress != nullptr && std::string_view(progress) == "auto") c.endpoint.progress = kind::automatic;
  if (progress != nullptr && std::string_view(progress) == "off") c.endpoint.progress = kind::off;
  return c;
}

base::result<std::unique_ptr<rank>> rank::open(std::unique_ptr<memory::job> job, std::uint32_t self,
                                               const config& config) {
  if (job->self() != self) {
    const base::status claimed = job->claim(self);
    if (!claimed.ok()) return claimed;
  }
  base::set_fault_process(self);
  std::unique_ptr<rank> made(new rank);
  made->self = self;
  made->job = std::move(job);
  auto arena = memory::arena::open(*made->job, self);
  if (!arena) return arena.error();
  made->arena = std::move(*arena);
  made->heap = std::make_unique<shared_heap>(*made->job, *made->arena);
  deposit::endpoint_config endpoint_config = config.endpoint;
  // Its thread comes to those of the program, however few these are.
  endpoint_config.threads = endpoint_config.threads || config.threads ||
                            endpoint_config.progress == deposit::endpoint_config::progress_kind::on;
  endpoint_config.events = &made->events;
  memory::mappings_config mappings_config = config.mappings;
  mappings_config.events = &made->events;
  mappings_config.threads = endpoint_config.threads;
  made->mappings = std::make_unique<memory::mappings>(*made->job, self, mappings_config);
  auto endpoint = deposit::endpoint::open(*made->job, self, *made->arena, *made->mappings, endpoint_config);
  if (!endpoint) return endpoint.error();
  made->endpoint = std::move(*endpoint);
  p2p::engine_config p2p_config = config.p2p;
  p2p_config.events = &made->events;
  auto p2p = p2p::engine::open(*made->endpoint, *made->job, *made->arena, p2p_config);
  if (!p2p) return p2p.error();
  made->p2p = std::move(*p2p);
  const memory::job_header& header = made->job->header();
  coll::choices algorithms = config.coll;
  algorithms.set_crowded(!p2p::engine_config::core_for_each(header.cpus, header.world_size));
  made->coll = std::make_unique<coll::engine>(*made->p2p, algorithms);
  return made;
}

// Upper layers go first: each still finds what it stands on.
rank::~rank() {
  if (endpoint != nullptr) {  // both may use the engines
    endpoint->finish_handed_over();
    endpoint->allow_progress(false);
  }
  coll.reset();
  p2p.reset();
  endpoint.reset();
  mappings.reset();
  heap.reset();
  arena.reset();
  job.reset();
}

}  // namespace loadstone
