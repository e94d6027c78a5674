#include "launch/configuration.hpp"

#include <fmt/core.h>

namespace loadstone::launch {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of UTF-8, as editors put it

}  // namespace

std::string read_configuration(const std::string& text, std::vector<std::vector<std::string>>* parts) {
  parts->clear();
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  int line = 1, quoted_at = 0;
  auto end_word = [&] {
    if (in_word && word == ":" && !words.empty())
      parts->push_back(std::move(words)), words.clear();
    else if (in_word)
      words.push_back(word);
    word.clear();
    in_word = false;
  };
  for (std::size_t i = text.rfind(byte_order_mark, 0) == 0 ? byte_order_mark.size() : 0; i < text.size();
       ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else if (quote == '"' && c == '\\' && i + 1 < text.size() &&
               (text[i + 1] == '"' || text[i + 1] == '\\'))
        word += text[++i];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      quoted_at = line;
      in_word = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      ++i;
      if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      if (text[i] == '\n')
        ++line;
      else
        word += text[i], in_word = true;
    } else if (c == '\n') {
      end_word();
      if (!words.empty()) parts->push_back(std::move(words)), words.clear();
    } else if (c == '#' && !in_word && words.empty()) {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return fmt::format("line {}: a quote is not closed", quoted_at);
  end_word();
  if (!words.empty()) parts->push_back(std::move(words));
  return parts->empty() ? "there is no program in it" : "";
}

}  // namespace loadstone::launch
