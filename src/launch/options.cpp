#include "launch/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>

#include "launch/shared_heap.hpp"
#include "launch/slurm.hpp"
#include "launch/version.hpp"
#include "launch/words.hpp"

namespace loadstone::launch {

namespace {

constexpr const char* help_begin =
    R"(Starts the ranks of an MPI program (or of any program) on this machine, and looks after them.

Usage: mpiexec [OPTIONS] program [arguments] [: [OPTIONS] program …]

Long options may have one dash or two, and their value after a blank or =.
)";

constexpr const char* help_end = R"(
Everything from the first word that is not an option is the program and its arguments.

  mpiexec -n 4 ./prog input.txt          4 ranks of ./prog
  mpiexec -n 1 ./master : -n 7 ./worker  two programs, one MPI_COMM_WORLD of 8 ranks
  mpiexec -n 8 -l ./prog                 label each line of output with its rank: [3] text
  mpiexec -n 4 --timeout 60 ./prog       if it hangs: after 60 s say who waits for whom, then end the job (status 124)
  mpiexec -n 4 -x OMP_NUM_THREADS=2 ./prog

More ranks than cores, and running as root, need no option: ranks that wait sleep, and are not bound to cores then.

While the job runs:
  Ctrl-C, SIGTERM, SIGHUP, SIGUSR2  go to all ranks; the second Ctrl-C kills them
  Ctrl-Z, fg                        stop and continue all ranks
  SIGUSR1                           makes mpiexec say who waits for whom:  kill -USR1 <process id of mpiexec>

The exit status is that of the first rank that failed: its own, or 128 + the number of the signal that killed it. When a rank
fails, the others are stopped.)";

std::string mistake(const std::string& what) {
  return fmt::format("mpiexec: {}\nTry: mpiexec --help\n", what);
}

}  // namespace

// What the words of one part have said so far.
struct reading {
  application& here;
  options& all;
  std::optional<long long> ranks;
  bool help = false, version = false;
};

namespace {

constexpr long long most_ranks = 100'000;

bool whole_number(const std::string& text, long long* n) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), *n);
  return failed == std::errc() && end == text.data() + text.size();
}

// What an allocation has for this node; nothing outside.
std::optional<long long> ranks_of_slurm() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const auto tasks = slurm_tasks([](const char* name) { return std::getenv(name); }, host);
  if (!tasks || *tasks < 1 || *tasks > most_ranks) return {};
  return *tasks;
}

std::string set_ranks(reading& r, const said& s) {
  long long n = 0;
  if (!whole_number(s.first, &n) || n < 1 || n > most_ranks)
    return fmt::format("{} {}: the number of ranks must be between 1 and {}", s.word, s.first, most_ranks);
  r.ranks = n;
  return {};
}

std::string set_binding(reading& r, const said& s) {
  if (s.first != "core" && s.first != "none")
    return fmt::format("{} {}: core or none is possible", s.word, s.first);
  r.all.binding = s.first == "core" ? binding_wish::core : binding_wish::none;
  return {};
}

std::string set_timeout(reading& r, const said& s) {
  char* end = nullptr;
  const double seconds = std::strtod(s.first.c_str(), &end);
  if (s.first.empty() || *end != 0 || !(seconds > 0))
    return fmt::format("{} {}: a positive number of seconds is needed", s.word, s.first);
  r.all.timeout = seconds;
  return {};
}

std::string hand_on(reading& r, const said& s) {
  const std::string& variable = s.first;
  const std::size_t equals = variable.find('=');
  if (equals == 0 || variable.empty()) return fmt::format("{} {}: a name is missing", s.word, variable);
  if (equals != std::string::npos) {
    r.here.environment.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  } else if (const char* value = std::getenv(variable.c_str())) {
    r.here.environment.emplace_back(variable, value);
  } else {
    return fmt::format("{0} {1}: this variable is not set here; give a value with {0} {1}=VALUE", s.word,
                       variable);
  }
  return {};
}

std::string share_heap(reading& r, const said& s) {
  const std::string bytes = s.valued ? s.first : std::to_string(usual_shared_heap);
  if (parse_shared_heap(bytes, &r.all.shared_heap)) return {};
  return fmt::format("--shared-heap={}: a number of bytes, {} at least, is needed", bytes, least_shared_heap);
}

// The table. Words of other launchers for what is normal here are in it too, so that their command lines run.
constexpr word words[] = {
    {.help = "Ranks and programs"},
    {.spellings = "n np -c",
     .what = follows::number,
     .again = false,
     .act = set_ranks,
     .shows = "RANKS",
     .help = "Number of ranks. If not given: the tasks that Slurm has given this node,\n"
             "in an allocation; elsewhere 1"},
    {.spellings = "wdir wd workdir",
     .what = follows::value,
     .again = false,
     .act = [](reading& r, const said& s) { return r.here.folder = s.first, std::string(); },
     .shows = "FOLDER",
     .help = "Start the ranks in this folder"},
    {.spellings = "timeout",
     .what = follows::value,
     .again = false,
     .act = set_timeout,
     .shows = "SECONDS",
     .help = "Report who waits for whom and end the job after so many seconds"},
    {.spellings = "shared-heap",
     .what = follows::optional,
     .act = share_heap,
     .shows = "BYTES",
     .help = "Blocks of the program's memory from so many bytes on (32768 if not\n"
             "given) are taken from memory that all ranks can reach: messages from\n"
             "and to them are copied once"},

    {.help = "Where they run"},
    {.spellings = "bind-to",
     .what = follows::value,
     .again = false,
     .act = set_binding,
     .shows = "core|none",
     .help = "core: one core for each rank; none: any. If not given:\n"
             "ranks are bound if there are enough free cores"},
    {.spellings = "oversubscribe"},
    {.spellings = "allow-run-as-root"},

    {.help = "Environment (all variables are handed on)"},
    {.spellings = "-x --env",
     .what = follows::value,
     .act = hand_on,
     .shows = "NAME[=VALUE]",
     .help = "Set an environment variable for the ranks"},

    {.help = "Input and output"},
    {.spellings = "l label",
     .act = [](reading& r, const said&) { return r.all.label = true, std::string(); },
     .help = "Put [rank] before each line of output"},

    {.help = "About mpiexec"},
    {.spellings = "h help",
     .act = [](reading& r, const said&) { return r.help = true, std::string(); },
     .help = "Show this text"},
    {.spellings = "-V version",
     .act = [](reading& r, const said&) { return r.version = true, std::string(); },
     .help = "Show the version"},
};

std::string help_text() {
  return fmt::format("{}{}{}\n", help_begin, describe_words(words), help_end);
}

// Parses one part; a non-empty answer is the mistake or the text to show (`status` then says which).
std::string parse_part(std::vector<std::string> part, application& a, options& all, bool only_part,
                       int* status) {
  reading r{.here = a, .all = all, .ranks = {}};
  const std::string wrong = read_words(words, part, r, all.notes);
  *status = 0;
  if (r.help) return help_text();
  if (wrong.empty() && r.version) return fmt::format("mpiexec (Loadstone) {}\n", version);
  *status = 2;
  if (!wrong.empty()) return mistake(wrong);
  if (part.empty()) return mistake("which program? None is given");
  a.command = std::move(part);
  if (!r.ranks && only_part) r.ranks = ranks_of_slurm();
  a.ranks = static_cast<std::uint32_t>(r.ranks.value_or(1));
  *status = -1;
  return {};
}

}  // namespace

parsed parse_command_line(int argc, const char* const* argv) {
  parsed result;
  // A value of no use is named by the ranks, as for every setting.
  if (const char* bytes = std::getenv(shared_heap_variable))
    static_cast<void>(parse_shared_heap(bytes, &result.wanted.shared_heap));
  std::vector<std::vector<std::string>> parts(1);
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == ":")
      parts.emplace_back();
    else
      parts.back().emplace_back(argv[i]);
  }
  for (std::vector<std::string>& words : parts) {
    application a;
    result.text = parse_part(std::move(words), a, result.wanted, parts.size() == 1, &result.status);
    if (result.status >= 0) return result;
    result.wanted.applications.push_back(std::move(a));
  }
  return result;
}

}  // namespace loadstone::launch
