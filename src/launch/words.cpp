#include "launch/words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace loadstone::launch {

namespace {

constexpr std::size_t help_column = 30;

std::string_view without_dashes(std::string_view text) {
  text.remove_prefix(std::min({text.find_first_not_of('-'), std::size_t{2}, text.size()}));
  return text;
}

// Calls f(spelling) for each until one answers true.
template <class F>
bool any_spelling(const word& w, F&& f) {
  for (std::string_view rest = w.spellings; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (f(one)) return true;
  }
  return false;
}

const word* find(std::span<const word> table, std::string_view typed) {
  for (const word& w : table)
    if (any_spelling(w,
                     [&](std::string_view s) { return s == (s[0] == '-' ? typed : without_dashes(typed)); }))
      return &w;
  return nullptr;
}

// Finds the word that `typed` is, and divides it from a value that is written with it.
const word* recognise(std::span<const word> table, std::string_view typed, said* s) {
  const std::size_t equals = typed.find('=');
  const std::string_view name = typed.substr(0, equals);
  s->word = name;
  s->valued = equals != typed.npos;
  if (s->valued) s->first = typed.substr(equals + 1);
  if (const word* w = find(table, name)) return w;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (s->valued || digits == name.size()) return nullptr;
  const word* w = find(table, name.substr(0, digits));
  if (w == nullptr || w->what != follows::number) return nullptr;
  s->word = name.substr(0, digits);
  s->valued = true;
  s->first = name.substr(digits);
  return w;
}

// As it is shown: a spelling without dashes gets the usual number of them.
std::string dashed(std::string_view spelling) {
  if (spelling[0] == '-') return std::string(spelling);
  return fmt::format("{}{}", spelling.size() <= 2 ? "-" : "--", spelling);
}

// How many letters must be changed, left out, put in, or change places with their neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  std::iota(d[0].begin(), d[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    d[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string said::whole() const {
  std::string text = word;
  if (!first.empty()) text += (valued ? "=" : " ") + first;
  if (!second.empty()) text += " " + second;
  return text;
}

std::string nearest_word(std::span<const word> table, std::string_view typed) {
  const std::string_view name = without_dashes(typed.substr(0, typed.find('=')));
  std::size_t least = name.size() < 3 ? 1 : 2 + name.size() / 8;  // one more is too far
  std::string nearest;
  for (const word& w : table) {
    any_spelling(w, [&](std::string_view s) {
      const std::size_t far = distance(name, without_dashes(s));
      if (far > least || (far == least && !nearest.empty()) || far >= without_dashes(s).size()) return false;
      least = far;
      nearest = dashed(s);
      return false;
    });
  }
  return nearest;
}

std::string read_words(std::span<const word> table, std::vector<std::string>& words, reading& into,
                       std::vector<std::string>& notes, words_said& before) {
  words_said seen;
  std::size_t at = 0;
  for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
    if (words[at] == "--") {
      ++at;
      break;
    }
    said s;
    const word* w = recognise(table, words[at], &s);
    if (w == nullptr) {
      const std::string meant = nearest_word(table, words[at]);
      return fmt::format("there is no option {}{}", words[at],
                         meant.empty() ? meant : fmt::format(" (did you mean {}?)", meant));
    }
    if (s.valued && w->what == follows::nothing) return fmt::format("{} takes no value", s.word);
    auto next = [&](std::string* value) {
      if (at + 1 >= words.size()) return false;
      *value = words[++at];
      return true;
    };
    bool complete = true;
    if (w->what != follows::nothing && w->what != follows::optional && !s.valued) complete = next(&s.first);
    if (w->what == follows::pair) {
      const std::size_t equals = s.first.find('=');
      if (equals != s.first.npos && equals > 0) {
        s.second = s.first.substr(equals + 1);
        s.first.resize(equals);
      } else {
        complete = complete && next(&s.second);
      }
    }
    if (w->what == follows::two) complete = complete && next(&s.second);
    if (!complete) return fmt::format("{} needs {}", s.word, w->shows.empty() ? "a value" : w->shows);
    const auto in = [w](const words_said& all) {
      return std::find_if(all.begin(), all.end(), [w](const auto& one) { return one.first == w; });
    };
    if (w->times != often::any && in(seen) != seen.end())
      return fmt::format("{}: this was said before; once is possible", s.whole());
    seen.emplace_back(w, s.first + s.second);
    if (w->times == often::once_in_job) {
      const auto other = in(before);
      if (other == before.end())
        before.push_back(seen.back());
      else if (*other != seen.back())
        return fmt::format("{}: another part of the job says {}; it is the same for all", s.whole(),
                           other->second);
    }
    if (w->act != nullptr) {
      if (std::string mistake = w->act(into, s); !mistake.empty()) return mistake;
    } else if (!w->why.empty()) {
      note(notes, fmt::format("{}: {}", s.word, w->why));
    }
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  return {};
}

void note(std::vector<std::string>& notes, const std::string& line) {
  if (std::find(notes.begin(), notes.end(), line) == notes.end()) notes.push_back(line);
}

std::vector<std::string> without_effect_of(std::span<const word> table) {
  std::vector<std::string> names;
  for (const word& w : table)
    if (w.act == nullptr && !w.why.empty())
      any_spelling(w, [&](std::string_view s) {
        names.push_back(dashed(s));
        return false;
      });
  return names;
}

std::string describe_words(std::span<const word> table) {
  std::string text;
  for (const word& w : table) {
    if (w.help.empty()) continue;
    if (w.spellings.empty()) {  // a heading
      text += fmt::format("\n{}\n", w.help);
      continue;
    }
    std::string head = "  ";
    any_spelling(w, [&](std::string_view s) {
      head += (head.size() > 2 ? ", " : "") + dashed(s);
      return false;
    });
    if (w.what == follows::optional)
      head += fmt::format("[={}]", w.shows);
    else if (!w.shows.empty())
      head += fmt::format(" {}", w.shows);
    text += head;
    std::size_t column = head.size();
    for (std::string_view rest = w.help; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (column + 2 > help_column) {
        text += '\n';
        column = 0;
      }
      text += fmt::format("{:{}}{}\n", "", help_column - column, line);
      column = 0;
    }
  }
  return text;
}

}  // namespace loadstone::launch
