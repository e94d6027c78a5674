// The table of words on mpiexec's command line: how a word is found, what follows it, what is said of mistakes.
#include "launch/words.hpp"

#include <gtest/gtest.h>

namespace loadstone::launch {

struct reading {
  std::vector<std::string> said;
};

namespace {

std::string remember(reading& r, const said& s) {
  r.said.push_back(s.word + "|" + s.first + "|" + s.second);
  return {};
}

constexpr word table[] = {
    {.spellings = "n np", .what = follows::number, .times = often::once, .act = remember, .shows = "RANKS"},
    {.spellings = "H host -hosts", .what = follows::value, .act = remember},
    {.spellings = "-env", .what = follows::pair, .act = remember, .shows = "NAME VALUE"},
    {.spellings = "--env", .what = follows::value, .act = remember},
    {.spellings = "mca", .what = follows::two, .why = "not here"},
    {.spellings = "heap", .what = follows::optional, .times = often::once_in_job, .act = remember},
    {.spellings = "h help", .act = remember},
    {.spellings = "fine"},
};

struct outcome {
  std::string mistake;
  reading heard;
  std::vector<std::string> notes, left;
};

outcome read(std::vector<std::string> words, words_said& before) {
  outcome o;
  o.mistake = read_words(table, words, o.heard, o.notes, before);
  o.left = words;
  return o;
}

outcome read(std::vector<std::string> words) {
  words_said none;
  return read(std::move(words), none);
}

using list = std::vector<std::string>;

TEST(words, are_found_with_one_dash_and_with_two) {
  for (const char* spelling : {"-n", "--n", "-np", "--np"}) {
    const outcome o = read({spelling, "3", "prog", "-n", "9"});
    EXPECT_EQ(o.mistake, "");
    EXPECT_EQ(o.heard.said, list{std::string(spelling) + "|3|"});
    EXPECT_EQ(o.left, (list{"prog", "-n", "9"}));
  }
  EXPECT_EQ(read({"-host", "a"}).heard.said, list{"-host|a|"});
  EXPECT_EQ(read({"--hosts", "a"}).mistake.substr(0, 26), "there is no option --hosts")
      << "spelt with one dash";
  EXPECT_NE(read({"---n", "3"}).mistake, "");
}

TEST(words, take_values_after_a_blank_an_equals_sign_or_as_digits) {
  for (const char* spelling : {"-n=3", "--n=3", "-np=3", "--np=3", "-n3", "-np3", "--np3"}) {
    const outcome o = read({spelling, "prog"});
    EXPECT_EQ(o.mistake, "") << spelling;
    ASSERT_EQ(o.heard.said.size(), 1U);
    EXPECT_EQ(o.heard.said[0].substr(o.heard.said[0].find('|')), "|3|");
    EXPECT_EQ(o.left, list{"prog"});
  }
  EXPECT_EQ(read({"-host=a=b"}).heard.said, list{"-host|a=b|"});
  EXPECT_EQ(read({"-n", "-3"}).heard.said, list{"-n|-3|"}) << "the value's own business";
}

TEST(words, are_never_taken_apart) {
  for (const char* typed :
       {"-hn", "-nh", "-hosta", "-host2", "-n3x", "-np-3", "-Hlocalhost", "-hfine", "-x"}) {
    const outcome o = read({typed, "3", "prog"});
    EXPECT_EQ(o.heard.said, list{}) << typed;
    EXPECT_EQ(o.mistake.substr(0, 18), "there is no option") << typed;
  }
  EXPECT_EQ(read({"-host", "a"}).heard.said, list{"-host|a|"}) << "not -h";
}

TEST(words, take_pairs) {
  for (const list& pair : {list{"-env", "A", "b=c"}, list{"-env", "A=b=c"}, list{"-env=A=b=c"}}) {
    const outcome o = read(pair);
    EXPECT_EQ(o.heard.said, list{"-env|A|b=c"});
    EXPECT_EQ(o.left, list{});
  }
  EXPECT_EQ(read({"-env", "A", "", "prog"}).heard.said, list{"-env|A|"});
  EXPECT_EQ(read({"--env", "A", "prog"}).left, list{"prog"}) << "two dashes: another word here";
}

TEST(words, with_a_value_of_choice_take_it_after_an_equals_sign_only) {
  EXPECT_EQ(read({"--heap", "3"}).left, list{"3"});
  EXPECT_EQ(read({"-heap=3"}).heard.said, list{"-heap|3|"});
}

TEST(words, without_effect_say_why_or_nothing) {
  EXPECT_EQ(read({"-mca", "a", "b", "-mca", "c", "d", "p"}).notes, list{"-mca: not here"});
  EXPECT_EQ(read({"--fine", "p"}).notes, list{});
}

TEST(words, mistakes) {
  const struct {
    list words;
    const char* mistake;
  } cases[] = {
      {{"-n"}, "-n needs RANKS"},
      {{"-host"}, "-host needs a value"},
      {{"-env", "A"}, "-env needs NAME VALUE"},
      {{"--mca", "a"}, "--mca needs a value"},
      {{"--fine=1"}, "--fine takes no value"},
      {{"-n", "2", "--np", "3"}, "--np 3: this was said before; once is possible"},
      {{"--hepl"}, "there is no option --hepl (did you mean --help?)"},
      {{"-hst", "a"}, "there is no option -hst (did you mean --host?)"},
      {{"--foreign"}, "there is no option --foreign"},
      {{"-q"}, "there is no option -q"},
  };
  for (const auto& c : cases) EXPECT_EQ(read(c.words).mistake, c.mistake);
}

TEST(words, that_hold_for_the_job_are_the_same_in_every_part) {
  words_said before;
  EXPECT_EQ(read({"--heap=1"}, before).mistake, "");
  EXPECT_EQ(before, (words_said{{&table[5], "1"}}));
  EXPECT_EQ(read({"-heap=1", "-n", "2"}, before).mistake, "");
  EXPECT_EQ(read({"-heap=2"}, before).mistake,
            "-heap=2: another part of the job says 1; it is the same for all");
  EXPECT_EQ(read({"-n", "3"}, before).mistake, "");
  EXPECT_EQ(read({"-heap=1", "-heap=1"}, before).mistake, "-heap=1: this was said before; once is possible");
}

TEST(words, end_at_two_dashes) {
  EXPECT_EQ(read({"-n", "2", "--", "-n", "3"}).left, (list{"-n", "3"}));
  EXPECT_EQ(read({"-"}).left, list{"-"}) << "a dash alone is a program's name";
}

}  // namespace

}  // namespace loadstone::launch
