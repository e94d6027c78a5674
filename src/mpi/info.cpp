// Info objects (MPI chapter 10).
#include "mpi/info.hpp"

#include <algorithm>
#include <cstring>

#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

void info::set(std::string_view key, std::string_view value) {
  const std::lock_guard guard(lock_);
  for (auto& pair : content_) {
    if (pair.first == key) {
      pair.second = value;
      return;
    }
  }
  content_.emplace_back(key, value);
}

bool info::remove(std::string_view key) {
  const std::lock_guard guard(lock_);
  const auto found =
      std::find_if(content_.begin(), content_.end(), [key](const auto& pair) { return pair.first == key; });
  if (found == content_.end()) return false;
  content_.erase(found);
  return true;
}

std::optional<std::string> info::find(std::string_view key) const {
  const std::lock_guard guard(lock_);
  for (const auto& pair : content_) {
    if (pair.first == key) return pair.second;
  }
  return std::nullopt;
}

std::size_t info::size() const {
  const std::lock_guard guard(lock_);
  return content_.size();
}

std::string info::key_at(std::size_t i) const {
  const std::lock_guard guard(lock_);
  return i < content_.size() ? content_[i].first : std::string();
}

info::pairs info::content() const {
  const std::lock_guard guard(lock_);
  return content_;
}

MPI_Info new_info(process& p, info::pairs content) {
  auto* i = new info(std::move(content));
  i->set_handle(p.handles.infos.insert(i));
  return i->handle();
}

namespace {

int check_key(call& c, const char* key) {
  const std::size_t length = key == nullptr ? 0 : std::strlen(key);
  if (length == 0)
    return c.fail(MPI_ERR_INFO_KEY, "key is empty; expected 1 to {} characters", MPI_MAX_INFO_KEY - 1);
  if (length >= MPI_MAX_INFO_KEY) {
    return c.fail(MPI_ERR_INFO_KEY, "key has {} characters; expected at most {}", length,
                  MPI_MAX_INFO_KEY - 1);
  }
  return MPI_SUCCESS;
}

int check_writable(call& c, const info& i) {
  if (i.handle() != MPI_INFO_ENV) return MPI_SUCCESS;
  return c.fail(MPI_ERR_INFO, "MPI_INFO_ENV may not be changed; expected an info object made by the program");
}

// Copies at most `capacity` - 1 characters and a zero.
void copy_out(const std::string& text, char* out, std::size_t capacity) {
  const std::size_t n = std::min(text.size(), capacity - 1);
  std::memcpy(out, text.data(), n);
  out[n] = '\0';
}

}  // namespace

int give_info(call& c, info::pairs content, MPI_Info* out) {
  const MPI_Info handle = new_info(c.process(), std::move(content));
  if (handle == MPI_INFO_NULL) return c.fail(MPI_ERR_OTHER, "no more info handles are free");
  *out = handle;
  return MPI_SUCCESS;
}

int impl::Info_create(call& c, MPI_Info* info) {
  return give_info(c, {}, info);
}

int impl::Info_create_env(call& c, int argc, char* argv[], MPI_Info* info) {
  info::pairs content = c.process().predefined.environment.content();
  if (argc > 0 && argv != nullptr && argv[0] != nullptr) {
    std::string rest;
    for (int i = 1; i < argc && argv[i] != nullptr; ++i) {
      if (i > 1) rest += ' ';
      rest += argv[i];
    }
    content.erase(
        std::remove_if(content.begin(), content.end(),
                       [](const auto& pair) { return pair.first == "command" || pair.first == "argv"; }),
        content.end());
    content.emplace_back("command", argv[0]);
    if (!rest.empty()) content.emplace_back("argv", rest.substr(0, MPI_MAX_INFO_VAL - 1));
  }
  return give_info(c, std::move(content), info);
}

int impl::Info_dup(call& c, info* info, MPI_Info* newinfo) {
  return give_info(c, info->content(), newinfo);
}

int impl::Info_free(call& c, info* info) {
  if (const int error = check_writable(c, *info)) return error;
  c.handles().infos.remove(info->handle());
  delete info;
  return MPI_SUCCESS;
}

int impl::Info_set(call& c, info* info, const char* key, const char* value) {
  if (const int error = check_writable(c, *info)) return error;
  if (const int error = check_key(c, key)) return error;
  const std::size_t length = std::strlen(value);
  if (length >= MPI_MAX_INFO_VAL) {
    return c.fail(MPI_ERR_INFO_VALUE, "value has {} characters; expected at most {}", length,
                  MPI_MAX_INFO_VAL - 1);
  }
  if (length == 0) return c.fail(MPI_ERR_INFO_VALUE, "value is empty; expected at least one character");
  info->set(key, value);
  return MPI_SUCCESS;
}

int impl::Info_delete(call& c, info* info, const char* key) {
  if (const int error = check_writable(c, *info)) return error;
  if (const int error = check_key(c, key)) return error;
  if (!info->remove(key))
    return c.fail(MPI_ERR_INFO_NOKEY, "there is no key \"{}\" in this info object", key);
  return MPI_SUCCESS;
}

int impl::Info_get(call& c, info* info, const char* key, int valuelen, char* value, int* flag) {
  if (const int error = check_key(c, key)) return error;
  if (valuelen < 0) return c.fail(MPI_ERR_ARG, "valuelen is {}; expected at least 0", valuelen);
  const auto found = info->find(key);
  *flag = found.has_value();
  if (found && value != nullptr) copy_out(*found, value, static_cast<std::size_t>(valuelen) + 1);
  return MPI_SUCCESS;
}

int impl::Info_get_valuelen(call& c, info* info, const char* key, int* valuelen, int* flag) {
  if (const int error = check_key(c, key)) return error;
  const auto found = info->find(key);
  *flag = found.has_value();
  if (found) *valuelen = static_cast<int>(found->size());
  return MPI_SUCCESS;
}

int impl::Info_get_string(call& c, info* info, const char* key, int* buflen, char* value, int* flag) {
  if (const int error = check_key(c, key)) return error;
  if (*buflen < 0) return c.fail(MPI_ERR_ARG, "buflen is {}; expected at least 0", *buflen);
  const auto found = info->find(key);
  *flag = found.has_value();
  if (!found) return MPI_SUCCESS;
  if (*buflen > 0 && value != nullptr) copy_out(*found, value, static_cast<std::size_t>(*buflen));
  *buflen = static_cast<int>(found->size()) + 1;
  return MPI_SUCCESS;
}

int impl::Info_get_nkeys(call&, info* info, int* nkeys) {
  *nkeys = static_cast<int>(info->size());
  return MPI_SUCCESS;
}

int impl::Info_get_nthkey(call& c, info* info, int n, char* key) {
  const auto size = static_cast<int>(info->size());
  if (n < 0 || n >= size)
    return c.fail(MPI_ERR_ARG, "n is {}; expected 0 to {}, for there are {} keys", n, size - 1, size);
  copy_out(info->key_at(static_cast<std::size_t>(n)), key, MPI_MAX_INFO_KEY);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
