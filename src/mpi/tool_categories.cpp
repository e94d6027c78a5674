// Categories (MPI §15.3.9), and event sources: one clock.
#include <cstring>

#include "mpi/generated/impl.hpp"
#include "mpi/tool.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

const tool_category* category_at(int index) {
  const auto all = tool_categories();
  return index >= 0 && static_cast<std::size_t>(index) < all.size() ? &all[static_cast<std::size_t>(index)]
                                                                    : nullptr;
}

// The indices of the variables of one category, at most `capacity`; returns how many there are.
template <class Variables>
int in_category(const Variables& all, const tool_category& category, int capacity, int* indices) {
  int n = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::strcmp(all[i].category, category.name) != 0) continue;
    if (n < capacity) indices[n] = static_cast<int>(i);
    ++n;
  }
  return n;
}

int check(int index, const tool_category** out) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *out = category_at(index);
  return *out == nullptr ? MPI_T_ERR_INVALID_INDEX : MPI_SUCCESS;
}

}  // namespace

int impl::T_category_get_num(call&, int* n) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *n = static_cast<int>(tool_categories().size());
  return MPI_SUCCESS;
}

int impl::T_category_get_info(call&, int index, char* name, int* name_len, char* desc, int* desc_len,
                              int* num_cvars, int* num_pvars, int* num_categories) {
  const tool_category* c = nullptr;
  if (const int error = check(index, &c)) return error;
  give_tool_text(c->name, name, name_len);
  give_tool_text(c->description, desc, desc_len);
  if (num_cvars != nullptr) *num_cvars = in_category(control_variables(), *c, 0, nullptr);
  if (num_pvars != nullptr) *num_pvars = in_category(performance_variables(), *c, 0, nullptr);
  if (num_categories != nullptr) *num_categories = 0;
  return MPI_SUCCESS;
}

int impl::T_category_get_index(call&, const char* name, int* index) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  const auto all = tool_categories();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::strcmp(all[i].name, name) == 0) {
      *index = static_cast<int>(i);
      return MPI_SUCCESS;
    }
  }
  return MPI_T_ERR_INVALID_NAME;
}

int impl::T_category_get_cvars(call&, int index, int len, int indices[]) {
  const tool_category* c = nullptr;
  if (const int error = check(index, &c)) return error;
  in_category(control_variables(), *c, len, indices);
  return MPI_SUCCESS;
}

int impl::T_category_get_pvars(call&, int index, int len, int indices[]) {
  const tool_category* c = nullptr;
  if (const int error = check(index, &c)) return error;
  in_category(performance_variables(), *c, len, indices);
  return MPI_SUCCESS;
}

int impl::T_category_get_categories(call&, int index, int, int[]) {
  const tool_category* c = nullptr;
  return check(index, &c);
}

int impl::T_category_get_num_events(call&, int index, int* n) {
  const tool_category* c = nullptr;
  if (const int error = check(index, &c)) return error;
  *n = events_in_category(c->name, 0, nullptr);
  return MPI_SUCCESS;
}

int impl::T_category_get_events(call&, int index, int len, int indices[]) {
  const tool_category* c = nullptr;
  if (const int error = check(index, &c)) return error;
  events_in_category(c->name, len, indices);
  return MPI_SUCCESS;
}

int impl::T_category_changed(call&, int* update_number) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *update_number = 0;  // categories never change
  return MPI_SUCCESS;
}

int impl::T_source_get_num(call&, int* n) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  *n = event_sources;
  return MPI_SUCCESS;
}

int impl::T_source_get_info(call& c, int index, char* name, int* name_len, char* desc, int* desc_len,
                            MPI_T_source_order* ordering, MPI_Count* ticks_per_second, MPI_Count* max_ticks,
                            MPI_Info* info) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  if (index < 0 || index >= event_sources) return MPI_T_ERR_INVALID_INDEX;
  const bool immediate = index == immediate_source;
  give_tool_text(immediate ? "immediate" : "deferred", name, name_len);
  give_tool_text(immediate
                     ? "events told where they happen; the monotonic clock of the machine"
                     : "events told at the end of the program's call; the monotonic clock of the machine",
                 desc, desc_len);
  if (ordering != nullptr) *ordering = MPI_T_SOURCE_ORDERED;
  if (ticks_per_second != nullptr) *ticks_per_second = 1000000000;
  if (max_ticks != nullptr) *max_ticks = INT64_MAX;
  if (info != nullptr) *info = new_info(c.process(), {});
  return MPI_SUCCESS;
}

int impl::T_source_get_timestamp(call&, int index, MPI_Count* timestamp) {
  if (!tool_running()) return MPI_T_ERR_NOT_INITIALIZED;
  if (index < 0 || index >= event_sources) return MPI_T_ERR_INVALID_INDEX;
  *timestamp = tool_clock();
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
