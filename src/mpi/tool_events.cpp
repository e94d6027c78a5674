// Events of the tool interface (MPI §15.3.8): the layers below raise them (base/events.hpp), and
// callbacks of tools get them, at once or deferred.
//
// At once means where the event happens. There the library holds locks of its own, so a callback
// must be at least MPI_RESTRICTED: it may read its event and nothing else (all else returns
// MPI_T_ERR_NOT_ACCESSIBLE). With MPI_THREAD_MULTIPLE or a progress thread it must be thread safe.
// If a registration has no callback that promises so much, its events are deferred to the end of
// the program's call (event_queue.hpp), where nothing is required. Events that do not fit into that
// queue are dropped.
#include <algorithm>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "mpi/event_queue.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/tool.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

// Every element of an event is an MPI_INT64_T; they follow each other.
struct event_type {
  const char* name;
  const char* description;
  const char* category;
  int elements;
};
constexpr event_type types[] = {
    {"unexpected_message", "a message has come that no receive waits for: sending process, tag, bytes",
     "messages", 3},
    {"mapping_evicted", "memory of a peer has been unmapped to make space: its process, bytes", "memory", 2},
    {"asleep", "a thread goes to sleep in a wait: process it waits for (-1 any, -2 none), tag (-1 any)",
     "waiting", 2},
    {"awake", "a thread has been woken: nanoseconds it was asleep", "waiting", 1},
};
constexpr int type_count = static_cast<int>(std::size(types));
static_assert(type_count == static_cast<int>(base::event_kind::kinds));

constexpr MPI_T_cb_safety levels[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                      MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
int level_of(MPI_T_cb_safety safety) {
  for (int i = 0; i < static_cast<int>(std::size(levels)); ++i) {
    if (levels[i] == safety) return i;
  }
  return -1;
}

}  // namespace

struct event_registration {
  process* owner;
  int type;
  struct callback {
    MPI_T_event_cb_function* function = nullptr;
    void* user_data = nullptr;
  } callbacks[std::size(levels)];
  MPI_T_event_dropped_cb_function* dropped = nullptr;
  int outstanding = 0;  // deferred events in the queue, or in a callback
  MPI_Count lost = 0;   // events that found the queue full, and that the dropped handler has not been told of
  struct {
    bool wanted = false;  // the handle is freed; call it when nothing is outstanding
    MPI_T_event_free_cb_function* function = nullptr;
    void* user_data = nullptr;
  } freed;

  // The callback that promises at least `required`, and no more than necessary; null: there is
  // none.
  const callback* promising(MPI_T_cb_safety required) const {
    for (int i = 0; i < static_cast<int>(std::size(levels)); ++i) {
      if (callbacks[i].function != nullptr && levels[i] >= required) return &callbacks[i];
    }
    return nullptr;
  }
};

namespace {

using registration = event_registration;
using instance = event_instance;

MPI_T_event_registration handle_of(registration& r) {
  return reinterpret_cast<MPI_T_event_registration>(&r);
}

thread_local const instance* current = nullptr;

// Guards the registrations. Held while callbacks run where an event happens, so that a registration
// is not removed meanwhile. It is taken inside the library's own locks, which are never taken
// inside it.
std::mutex events_lock;
std::vector<std::shared_ptr<registration>> registrations;

registration* behind(MPI_T_event_registration handle) {
  for (const auto& r : registrations) {
    if (handle_of(*r) == handle) return r.get();
  }
  return nullptr;
}

void run(registration& r, const registration::callback& callback, const instance& event,
         MPI_T_cb_safety required) {
  const instance* outer = std::exchange(current, &event);
  callback.function(reinterpret_cast<MPI_T_event_instance>(const_cast<instance*>(&event)), handle_of(r),
                    required, callback.user_data);
  current = outer;
}

// Gives one event to one registration. Under the lock, and the locks that are held where the event
// happens.
void hand_over(const std::shared_ptr<registration>& r, const instance& event, MPI_T_cb_safety required) {
  if (const auto* callback = r->promising(required)) return run(*r, *callback, event, required);
  if (r->promising(MPI_T_CB_REQUIRE_NONE) == nullptr) return;  // there is no callback
  instance later = event;
  later.source = deferred_source;
  if (r->owner->deferred_events.put(r, later))
    ++r->outstanding;
  else
    ++r->lost;
}

void receive(void* context, const base::event& what) {
  if (in_event_callback() || !tool_running()) return;
  auto* owner = static_cast<process*>(context);
  const MPI_T_cb_safety required =
      owner->gate().threads() ? MPI_T_CB_REQUIRE_THREAD_SAFE : MPI_T_CB_REQUIRE_MPI_RESTRICTED;
  const std::lock_guard guard(events_lock);
  const instance event{what, tool_clock(), immediate_source};
  for (const auto& r : registrations) {
    if (r->owner == owner && r->type == static_cast<int>(what.kind)) hand_over(r, event, required);
  }
}

// Tells the dropped handler how many events were lost. No lock is held, so nothing is required of
// the handler.
void tell_lost(registration& r) {
  std::unique_lock guard(events_lock);
  const registration::callback* callback = r.promising(MPI_T_CB_REQUIRE_NONE);
  const MPI_Count lost = std::exchange(r.lost, 0);
  auto* const told = r.dropped;
  if (lost == 0 || told == nullptr || callback == nullptr) return;
  void* const user_data = callback->user_data;
  guard.unlock();
  told(lost, handle_of(r), deferred_source, MPI_T_CB_REQUIRE_NONE, user_data);
}

// Calls the free function, when the last callback has run.
void tell_freed(registration& r) {
  if (r.freed.function != nullptr) r.freed.function(handle_of(r), MPI_T_CB_REQUIRE_NONE, r.freed.user_data);
}

void deliver_one(event_queue& queue) {
  std::unique_lock guard(events_lock);
  const event_queue::entry next = queue.take();
  registration& r = *next.to;
  registration::callback callback;
  if (const auto* found = r.promising(MPI_T_CB_REQUIRE_NONE)) callback = *found;
  guard.unlock();
  if (callback.function != nullptr) run(r, callback, next.event, MPI_T_CB_REQUIRE_NONE);
  guard.lock();
  const bool last = --r.outstanding == 0 && r.freed.wanted;
  guard.unlock();
  if (last) {
    tell_lost(r);
    tell_freed(r);
  }
}

std::vector<std::shared_ptr<registration>> those_with_losses() {
  std::vector<std::shared_ptr<registration>> found;
  const std::lock_guard guard(events_lock);
  for (const auto& r : registrations) {
    if (r->lost > 0) found.push_back(r);
  }
  return found;
}

// Under the lock.
void update_use(process& p) {
  bool used = false;
  for (const auto& r : registrations) used = used || r->owner == &p;
  p.deferred_events.use(used);
}

// Under the lock.
void update_wants(process& p, int type) {
  if (!p.opened()) return;
  bool wanted = false;
  for (const auto& r : registrations) wanted = wanted || (r->owner == &p && r->type == type);
  p.core().events.want(static_cast<base::event_kind>(type), wanted);
}

int accessible() {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  return in_event_callback() ? MPI_T_ERR_NOT_ACCESSIBLE : MPI_SUCCESS;
}

int check_instance(MPI_T_event_instance handle) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  return current == nullptr || reinterpret_cast<const instance*>(handle) != current ? MPI_T_ERR_INVALID_HANDLE
                                                                                    : MPI_SUCCESS;
}

// Calls f(registration) under the lock. Returns what f does, or an error if there is no such
// registration.
template <class F>
int with(MPI_T_event_registration handle, F f) {
  if (const int error = accessible()) return error;
  const std::lock_guard guard(events_lock);
  registration* r = behind(handle);
  return r == nullptr ? MPI_T_ERR_INVALID_HANDLE : f(*r);
}

}  // namespace

MPI_Count tool_clock() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<MPI_Count>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

bool in_event_callback() {
  return current != nullptr && current->source == immediate_source;
}

void deliver_events(event_queue& queue) {
  std::unique_lock guard(events_lock);
  const auto entries = queue.begin();
  if (!entries) return;
  guard.unlock();
  for (std::size_t i = 0; i < *entries; ++i) deliver_one(queue);
  for (const auto& r : those_with_losses()) tell_lost(*r);
  guard.lock();
  queue.end();
}

void connect_events(process& p) {
  const std::lock_guard guard(events_lock);
  p.core().events.connect(&receive, &p);
  for (int type = 0; type < type_count; ++type) update_wants(p, type);
}

int events_in_category(const char* category, int capacity, int* indices) {
  int n = 0;
  for (int i = 0; i < type_count; ++i) {
    if (std::strcmp(types[i].category, category) != 0) continue;
    if (n < capacity) indices[n] = i;
    ++n;
  }
  return n;
}

int impl::T_event_get_num(call&, int* n) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *n = type_count;
  return MPI_SUCCESS;
}

int impl::T_event_get_index(call&, const char* name, int* index) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  for (int i = 0; i < type_count; ++i) {
    if (std::strcmp(types[i].name, name) == 0) {
      *index = i;
      return MPI_SUCCESS;
    }
  }
  return MPI_T_ERR_INVALID_NAME;
}

int impl::T_event_get_info(call& c, int index, char* name, int* name_len, int* verbosity,
                           MPI_Datatype datatypes[], MPI_Aint displacements[], int* num_elements,
                           MPI_T_enum* enumtype, MPI_Info* info, char* desc, int* desc_len, int* bind) {
  if (const int error = accessible()) return error;
  if (index < 0 || index >= type_count) return MPI_T_ERR_INVALID_INDEX;
  const event_type& t = types[index];
  give_tool_text(t.name, name, name_len);
  give_tool_text(t.description, desc, desc_len);
  if (verbosity != nullptr) *verbosity = MPI_T_VERBOSITY_USER_DETAIL;
  if (num_elements != nullptr) {
    for (int i = 0; i < t.elements && i < *num_elements; ++i) {
      if (datatypes != nullptr) datatypes[i] = MPI_INT64_T;
      if (displacements != nullptr) displacements[i] = i * static_cast<MPI_Aint>(sizeof(std::int64_t));
    }
    *num_elements = t.elements;
  }
  if (enumtype != nullptr) *enumtype = MPI_T_ENUM_NULL;
  if (info != nullptr) *info = new_info(c.process(), {});
  if (bind != nullptr) *bind = MPI_T_BIND_NO_OBJECT;
  return MPI_SUCCESS;
}

// --- registrations ---

int impl::T_event_handle_alloc(call& c, int index, void*, MPI_Info, MPI_T_event_registration* handle) {
  if (const int error = accessible()) return error;
  if (index < 0 || index >= type_count) return MPI_T_ERR_INVALID_INDEX;
  auto made = std::make_shared<registration>();
  made->owner = &c.process();
  made->type = index;
  const std::lock_guard guard(events_lock);
  *handle = handle_of(*made);
  registrations.push_back(std::move(made));
  update_use(c.process());
  update_wants(c.process(), index);
  return MPI_SUCCESS;
}

// Events that are in the queue are still delivered; then the free function is called.
int impl::T_event_handle_free(call&, MPI_T_event_registration handle, void* user_data,
                              MPI_T_event_free_cb_function free_function) {
  std::shared_ptr<registration> gone;
  bool outstanding = false;
  const int error = with(handle, [&](registration& r) {
    r.freed = {true, free_function, user_data};
    outstanding = r.outstanding > 0;
    const auto at = std::find_if(registrations.begin(), registrations.end(),
                                 [&r](const auto& known) { return known.get() == &r; });
    gone = std::move(*at);
    registrations.erase(at);
    update_use(*r.owner);
    update_wants(*r.owner, r.type);
    return MPI_SUCCESS;
  });
  if (error != MPI_SUCCESS || outstanding) return error;
  tell_lost(*gone);
  tell_freed(*gone);
  return MPI_SUCCESS;
}

int impl::T_event_handle_get_info(call& c, MPI_T_event_registration handle, MPI_Info* info) {
  return with(handle, [&](registration&) {
    *info = new_info(c.process(), {});
    return MPI_SUCCESS;
  });
}

int impl::T_event_handle_set_info(call&, MPI_T_event_registration handle, MPI_Info) {
  return with(handle, [](registration&) { return MPI_SUCCESS; });  // there are no hints
}

int impl::T_event_register_callback(call&, MPI_T_event_registration handle, MPI_T_cb_safety safety, MPI_Info,
                                    void* user_data, MPI_T_event_cb_function function) {
  return with(handle, [&](registration& r) {
    const int level = level_of(safety);
    if (level < 0) return MPI_T_ERR_INVALID;
    r.callbacks[level] = {function, user_data};
    return MPI_SUCCESS;
  });
}

int impl::T_event_callback_get_info(call& c, MPI_T_event_registration handle, MPI_T_cb_safety safety,
                                    MPI_Info* info) {
  return with(handle, [&](registration& r) {
    const int level = level_of(safety);
    if (level < 0 || r.callbacks[level].function == nullptr) return MPI_T_ERR_INVALID;
    *info = new_info(c.process(), {});
    return MPI_SUCCESS;
  });
}

int impl::T_event_callback_set_info(call&, MPI_T_event_registration handle, MPI_T_cb_safety safety,
                                    MPI_Info) {
  return with(handle, [&](registration& r) {
    const int level = level_of(safety);
    return level < 0 || r.callbacks[level].function == nullptr ? MPI_T_ERR_INVALID : MPI_SUCCESS;
  });
}

int impl::T_event_set_dropped_handler(call&, MPI_T_event_registration handle,
                                      MPI_T_event_dropped_cb_function function) {
  return with(handle, [&](registration& r) {
    r.dropped = function;
    return MPI_SUCCESS;
  });
}

// --- in a callback ---

int impl::T_event_read(call&, MPI_T_event_instance handle, int element, void* buffer) {
  if (const int error = check_instance(handle)) return error;
  if (element < 0 || element >= types[static_cast<int>(current->what.kind)].elements)
    return MPI_T_ERR_INVALID_INDEX;
  std::memcpy(buffer, &current->what.words[element], sizeof(std::int64_t));
  return MPI_SUCCESS;
}

int impl::T_event_copy(call&, MPI_T_event_instance handle, void* buffer) {
  if (const int error = check_instance(handle)) return error;
  const auto elements = static_cast<std::size_t>(types[static_cast<int>(current->what.kind)].elements);
  std::memcpy(buffer, current->what.words, elements * sizeof(std::int64_t));
  return MPI_SUCCESS;
}

int impl::T_event_get_source(call&, MPI_T_event_instance handle, int* source) {
  if (const int error = check_instance(handle)) return error;
  *source = current->source;
  return MPI_SUCCESS;
}

int impl::T_event_get_timestamp(call&, MPI_T_event_instance handle, MPI_Count* timestamp) {
  if (const int error = check_instance(handle)) return error;
  *timestamp = current->timestamp;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
