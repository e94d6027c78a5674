// The words that may stand before the program on mpiexec's command line, as a table: how each may
// be spelt, what follows it, what it does. Launchers have been spelling them in their own ways for
// thirty years, and people type what they are used to: a word is looked up whole, with one dash or
// two, and never taken apart into letters.
//
//   -np 2   --np 2   -np=2   --np=2   -np2     the last for words that take a number only
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::launch {

enum class follows : std::uint8_t {
  nothing,
  value,     // the next word, or what comes after =
  number,    // the same, or digits at the end of the word itself
  pair,      // NAME VALUE, NAME=VALUE or =NAME=VALUE
  two,       // any two words
  optional,  // a value after = only
};

// How often a word may be said. `once_in_job`: once in a part, and the same in every part that says
// it.
enum class often : std::uint8_t { any, once, once_in_job };

// A word as it was found.
struct said {
  std::string word;           // as typed, without the value
  bool valued = false;        // follows::optional: there is one
  std::string first, second;  // what follows it
  std::string whole() const;  // as typed: for what is said of it
};

struct word;
using words_said = std::vector<std::pair<const word*, std::string>>;  // and what followed them

struct reading;  // what the words of one part have said so far (options.cpp)

struct word {
  // Divided by blanks. One that begins with a dash is taken as it stands, another with one dash or
  // two.
  std::string_view spellings = {};
  follows what = follows::nothing;
  often times = often::any;
  // Does what it says; an answer is the mistake. Without it, the word is taken and has no effect,
  // which `why` says in one line; where that is empty as well, it asks for what happens anyway.
  std::string (*act)(reading&, const said&) = nullptr;
  std::string_view why = {};
  // For the help: the name of what follows, and lines. A word without lines is not listed.
  std::string_view shows = {}, help = {};
};

// Takes words from the front of `words`, up to the first that does not begin with a dash. `notes`
// gets the lines of those without effect, each once; `before` is what the parts before have said
// once for the whole job. An answer is the mistake.
[[nodiscard]] std::string read_words(std::span<const word> table, std::vector<std::string>& words,
                                     reading& into, std::vector<std::string>& notes, words_said& before);

// The lines of the help: spellings, what follows, what it does.
std::string describe_words(std::span<const word> table);

// The words that have no effect, and say so; as they are typed.
std::vector<std::string> without_effect_of(std::span<const word> table);

// The word of the table that somebody may have meant, as it is typed; or an empty string.
std::string nearest_word(std::span<const word> table, std::string_view typed);

// Appends the line, unless it is there.
void note(std::vector<std::string>& notes, const std::string& line);

}  // namespace loadstone::launch
