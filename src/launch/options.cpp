#include "launch/options.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "launch/configuration.hpp"
#include "launch/hosts.hpp"
#include "launch/machine.hpp"
#include "launch/placement_words.hpp"
#include "launch/shared_heap.hpp"
#include "launch/slurm.hpp"
#include "launch/version.hpp"
#include "launch/words.hpp"
#include "memory/io_layout.hpp"

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
  std::optional<long long> ranks, slots, per_node;  // -n; of --host and --hostfile; -ppn
  std::string configuration;                        // -configfile
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

// What follows a word of placement, by a reader of placement_words.hpp.
template <auto read>
std::string set_placing(reading& r, const said& s) {
  const std::string wrong = read(s.first, &r.all.placing);
  return wrong.empty() ? wrong : fmt::format("{} {}: {}", s.word, s.first, wrong);
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

std::string set_variable(std::vector<std::pair<std::string, std::string>>& all, const said& s) {
  if (s.first.empty()) return fmt::format("{}: a name is missing", s.whole());
  if (s.first.find('=') != std::string::npos) return fmt::format("{}: a name has no = in it", s.whole());
  all.emplace_back(s.first, s.second);
  return {};
}

std::string inherit_list(inheritance& what, const said& s) {
  what = {true, false, {}};
  for (std::size_t at = 0; at < s.first.size();) {
    const std::size_t end = std::min(s.first.find(',', at), s.first.size());
    if (end > at) what.names.push_back(s.first.substr(at, end - at));
    at = end + 1;
  }
  return {};
}

std::string set_configuration(reading& r, const said& s) {
  r.configuration = s.first;
  return s.first.empty() ? fmt::format("{}: the name of a file is missing", s.word) : std::string();
}

std::string take_slots(reading& r, const said& s, const slots& found) {
  if (!found.mistake.empty()) return fmt::format("{} {}", s.word, found.mistake);
  r.slots = r.slots.value_or(0) + found.count;
  return {};
}

std::string set_per_node(reading& r, const said& s) {
  long long n = 0;
  if (!whole_number(s.first, &n) || n < 1 || n > most_ranks)
    return fmt::format("{} {}: the number of ranks must be between 1 and {}", s.word, s.first, most_ranks);
  r.per_node = n;
  return {};
}

std::string rank_by(reading& r, const said& s) {
  const std::string by = s.first.substr(0, s.first.find(':'));
  for (const char* usual : {"slot", "core", "hwthread", "node", "fill"})
    if (by == usual) return {};
  for (const char* other :
       {"span", "object", "socket", "package", "numa", "board", "l1cache", "l2cache", "l3cache"}) {
    if (by != other) continue;
    note(r.all.notes, fmt::format("{}: no effect: ranks are numbered in the order of the cores", s.whole()));
    return {};
  }
  return fmt::format("{}: slot, core, hwthread, node, fill, socket, numa or l3cache is possible", s.whole());
}

std::string set_input(reading& r, const said& s) {
  input_wish& input = r.all.input;
  long long rank = 0;
  if (s.first == "all") {
    input.whom = input_wish::to::all;
  } else if (s.first == "none") {
    input.whom = input_wish::to::nobody;
  } else if (whole_number(s.first, &rank) && rank >= 0 && rank < most_ranks) {
    input = {input_wish::to::rank, static_cast<std::uint32_t>(rank)};
  } else {
    return fmt::format("{}: a rank, all or none is possible", s.whole());
  }
  return {};
}

// Puts in what is the same for all ranks, and looks whether the rest is %r.
std::string take_pattern(const said& s, std::string* pattern) {
  pattern->clear();
  if (s.first.empty()) return fmt::format("{}: the name of a file is missing", s.word);
  for (std::size_t i = 0; i < s.first.size(); ++i) {
    const char c = s.first[i], key = i + 1 < s.first.size() ? s.first[i + 1] : '\0';
    if (c != '%') {
      *pattern += c;
      continue;
    }
    ++i;
    if (key == 'r' || key == '%') {
      *pattern += {'%', key};
    } else if (key == 'h') {
      char host[256] = "localhost";
      gethostname(host, sizeof host - 1);
      *pattern += host;
    } else if (key == 'g' || key == 'p') {  // groups of processes and proxies: one of each
      *pattern += '0';
    } else if (key == '\0') {
      return fmt::format("{}: a % at the end; %r is the rank, %h the host, %% a percent sign", s.whole());
    } else {
      return fmt::format("{}: %{} is not known; %r is the rank, %h the host, %% a percent sign", s.whole(),
                         key);
    }
  }
  return {};
}

std::string set_output_file(reading& r, const said& s) {
  output_wish& output = r.all.output;
  std::string wrong = take_pattern(s, &output.output);
  if (output.output.find("%r") == std::string::npos) output.output += ".%r";
  output.error = output.output;
  return wrong;
}

// Open MPI 5 has one word for all of it.
std::string set_output(reading& r, const said& s) {
  for (std::size_t at = 0; at <= s.first.size();) {
    const std::size_t end = std::min(s.first.find(',', at), s.first.size());
    const std::string one = s.first.substr(at, end - at);
    at = end + 1;
    if (one == "tag" || one == "rank") {
      r.all.label = true;
    } else if (one.rfind("file=", 0) == 0) {
      if (std::string wrong = set_output_file(r, {s.word, true, one.substr(5), {}}); !wrong.empty())
        return wrong;
    } else {
      return fmt::format("{}: tag or file=NAME is possible", s.whole());
    }
  }
  return {};
}

bool parse_io_ranks(const std::string& text, std::uint32_t* count) {
  long long n = 0;
  if (!whole_number(text, &n) || n < 0 || n > memory::io_servers) return false;
  *count = static_cast<std::uint32_t>(n);
  return true;
}

std::string set_io_ranks(reading& r, const said& s) {
  if (parse_io_ranks(s.first, &r.all.io_ranks)) return {};
  return fmt::format("{}: the number of I/O processes must be between 0 and {}", s.whole(),
                     memory::io_servers);
}

std::string share_heap(reading& r, const said& s) {
  const std::string bytes = s.valued ? s.first : std::to_string(usual_shared_heap);
  if (parse_shared_heap(bytes, &r.all.shared_heap)) return {};
  return fmt::format("--shared-heap={}: a number of bytes, {} at least, is needed", bytes, least_shared_heap);
}

constexpr std::string_view one_machine = "no effect: all ranks run on this machine";
constexpr std::string_view other_settings =
    "no effect: these are another MPI's settings (loadstone info shows those there are)";
constexpr std::string_view no_start_elsewhere = "no effect: nothing is started on other machines";

// The table. Words of other launchers for what is normal here are in it too, so that their command
// lines run.
constexpr word words[] = {
    {.help = "Ranks and programs"},
    {.spellings = "n np -c",
     .what = follows::number,
     .times = often::once,
     .act = set_ranks,
     .shows = "RANKS",
     .help = "Number of ranks. If not given: what -ppn, --map-by ppr or --host says; the\n"
             "tasks that Slurm has given this node, in an allocation; elsewhere 1"},
    {.spellings = "wdir wd workdir",
     .what = follows::value,
     .times = often::once,
     .act = [](reading& r, const said& s) { return r.here.folder = s.first, std::string(); },
     .shows = "FOLDER",
     .help = "Start the ranks in this folder"},
    {.spellings = "path",
     .what = follows::value,
     .times = often::once,
     .act = [](reading& r, const said& s) { return r.here.path = s.first, std::string(); },
     .shows = "FOLDERS",
     .help = "Look for the program in these folders first (divided by colons)"},
    {.spellings = "configfile",
     .what = follows::value,
     .times = often::once,
     .act = set_configuration,
     .shows = "FILE",
     .help = "Take the parts of the job from the lines of a file, each with its\n"
             "options, its program and arguments; # begins a comment"},
    {.spellings = "timeout",
     .what = follows::value,
     .times = often::once_in_job,
     .act = set_timeout,
     .shows = "SECONDS",
     .help = "Report who waits for whom and end the job after so many seconds"},
    {.spellings = "shared-heap",
     .what = follows::optional,
     .times = often::once_in_job,
     .act = share_heap,
     .shows = "BYTES",
     .help = "Blocks of the program's memory from so many bytes on (32768 if not\n"
             "given) are taken from memory that all ranks can reach: messages from\n"
             "and to them are copied once"},

    {.help = "Where they run"},
    {.spellings = "bind-to",
     .what = follows::value,
     .times = often::once_in_job,
     .act = set_placing<read_bind_to>,
     .shows = "PART",
     .help = "What a rank may use: hwthread, core, l3cache, numa, socket, or\n"
             "none (everything). If not given: a core, or where a program has\n"
             "threads, its share of the cores, if there is a free core for each\n"
             "rank; everything otherwise"},
    {.spellings = "map-by",
     .what = follows::value,
     .act = set_placing<read_map_by>,
     .shows = "PART",
     .help = "Of what the next rank gets the next one: hwthread, core, l3cache,\n"
             "numa, socket; numa:PE=4 gives it 4 cores there, ppr:2:socket puts\n"
             "two ranks on each"},
    {.spellings = "cpus-per-rank cpus-per-proc",
     .what = follows::number,
     .times = often::once_in_job,
     .act = set_placing<read_cores_per_rank>,
     .shows = "CORES",
     .help = "Cores for each rank"},
    {.spellings = "use-hwthread-cpus",
     .act = [](reading& r, const said&) { return r.all.placing.hwthreads = true, std::string(); },
     .help = "Hardware threads count as cores"},
    {.spellings = "report-bindings",
     .act = [](reading& r, const said&) { return r.all.report_bindings = true, std::string(); },
     .help = "Say where each rank may run, and how many threads it is told to\n"
             "start (OMP_NUM_THREADS; a job that shares cores gets 1 a rank)"},
    {.spellings = "io-ranks",
     .what = follows::number,
     .times = often::once_in_job,
     .act = set_io_ranks,
     .shows = "K",
     .help = "K processes of mpiexec's own, not in MPI_COMM_WORLD, write what ranks\n"
             "have buffered to files, each on a core that the ranks leave it. If not\n"
             "given, or 0: one, on any core"},
    {.spellings = "io-report",
     .act = [](reading& r, const said&) { return r.all.io_report = true, std::string(); },
     .help = "Say at the end what was written to each file, how much of the time\n"
             "for it was hidden, which buffer was too small, and by how much"},
    {.spellings = "host hosts H",
     .what = follows::value,
     .act = [](reading& r, const said& s) { return take_slots(r, s, read_host_list(s.first)); },
     .shows = "NAME[:K],...",
     .help = "This machine, by any of its names; K of them (or 1) is the number of\n"
             "ranks if -n is not given"},
    {.spellings = "hostfile machinefile -f default-hostfile",
     .what = follows::value,
     .act = [](reading& r, const said& s) { return take_slots(r, s, read_host_file(s.first)); },
     .shows = "FILE",
     .help = "The same from a file: NAME, NAME:K or NAME slots=K in each line"},
    {.spellings = "ppn perhost -N npernode",
     .what = follows::number,
     .times = often::once,
     .act = set_per_node,
     .shows = "K",
     .help = "Ranks a node: their number if -n is not given"},
    {.spellings = "pernode", .act = [](reading& r, const said&) { return r.per_node = 1, std::string(); }},
    {.spellings = "rank-by", .what = follows::value, .act = rank_by},
    {.spellings = "oversubscribe allow-run-as-root"},
    {.spellings = "nooversubscribe no-oversubscribe",
     .why = "no effect: more ranks than cores are never refused"},
    {.spellings = "nolocal",
     .act = [](reading&, const said& s) { return s.word + ": there is no other machine to run on"; }},
    {.spellings = "arch soft",
     .what = follows::value,
     .why = "no effect: there is one machine, and it starts all ranks"},
    {.spellings = "prefix preload-files", .what = follows::value, .why = no_start_elsewhere},
    {.spellings = "preload-binary", .why = no_start_elsewhere},
    {.spellings = "launcher launcher-exec bootstrap bootstrap-exec rmk iface",
     .what = follows::value,
     .why = no_start_elsewhere},
    {.spellings = "usize", .what = follows::value, .why = one_machine},
    {.spellings = "display-map display-allocation print-rank-map order-nodes", .why = one_machine},

    {.help = "Environment (all variables are handed on)"},
    {.spellings = "-x --env",
     .what = follows::value,
     .act = hand_on,
     .shows = "NAME[=VALUE]",
     .help = "Set an environment variable for the ranks of this part"},
    {.spellings = "-env",
     .what = follows::pair,
     .act = [](reading& r, const said& s) { return set_variable(r.here.environment, s); },
     .shows = "NAME VALUE",
     .help = "The same"},
    {.spellings = "genv",
     .what = follows::pair,
     .act = [](reading& r, const said& s) { return set_variable(r.all.environment, s); },
     .shows = "NAME VALUE",
     .help = "Set one for the ranks of all parts"},
    {.spellings = "genvlist",
     .what = follows::value,
     .act = [](reading& r, const said& s) { return inherit_list(r.all.inherited, s); },
     .shows = "NAME,NAME",
     .help = "Hand on these variables of mpiexec's only (-envlist: to this part);\n"
             "-genvnone, -envnone: none"},
    {.spellings = "envlist",
     .what = follows::value,
     .act = [](reading& r, const said& s) { return inherit_list(r.here.inherited, s); }},
    {.spellings = "genvnone",
     .act = [](reading& r, const said&) { return inherit_list(r.all.inherited, {}); }},
    {.spellings = "envnone",
     .act = [](reading& r, const said&) { return inherit_list(r.here.inherited, {}); }},
    {.spellings = "genvall",
     .act = [](reading& r, const said&) { return r.all.inherited = {true, true, {}}, std::string(); }},
    {.spellings = "envall",
     .act = [](reading& r, const said&) { return r.here.inherited = {true, true, {}}, std::string(); }},

    {.help = "Input and output"},
    {.spellings = "l label tag-output prepend-rank",
     .act = [](reading& r, const said&) { return r.all.label = true, std::string(); },
     .help = "Put [rank] before each line of output"},
    {.spellings = "output-filename",
     .what = follows::value,
     .times = often::once_in_job,
     .act = set_output_file,
     .shows = "NAME",
     .help = "Write what rank R prints to the file NAME.R, or NAME with R for its %r"},
    {.spellings = "outfile-pattern",
     .what = follows::value,
     .times = often::once_in_job,
     .act = [](reading& r, const said& s) { return take_pattern(s, &r.all.output.output); },
     .shows = "NAME",
     .help = "The same for standard output only, and -errfile-pattern for standard\n"
             "error; %r is the rank, %h the host"},
    {.spellings = "errfile-pattern",
     .what = follows::value,
     .times = often::once_in_job,
     .act = [](reading& r, const said& s) { return take_pattern(s, &r.all.output.error); }},
    {.spellings = "output", .what = follows::value, .act = set_output},
    {.spellings = "stdin -s",
     .what = follows::value,
     .times = often::once_in_job,
     .act = set_input,
     .shows = "RANK|all|none",
     .help = "Who gets the standard input; rank 0 if not given"},
    {.spellings = "q quiet",
     .act = [](reading& r, const said&) { return r.all.quiet = true, std::string(); },
     .help = "Do not say which options have no effect"},
    {.spellings = "v verbose",
     .act = [](reading& r, const said&) { return r.all.verbose = true, std::string(); },
     .help = "Say which process is which rank"},

    {.help = "About mpiexec"},
    {.spellings = "h help",
     .act = [](reading& r, const said&) { return r.help = true, std::string(); },
     .help = "Show this text"},
    {.spellings = "-V version info",
     .act = [](reading& r, const said&) { return r.version = true, std::string(); },
     .help = "Show the version"},

    {.spellings = "mca gmca pmca prtemca omca", .what = follows::two, .why = other_settings},
    {.spellings = "am tune", .what = follows::value, .why = other_settings},
    {.spellings = "disable-auto-cleanup disable-hostname-propagation enable-x disable-x disable-recovery "
                  "print-all-exitcodes",
     .why = "no effect: it has no meaning for this launcher"},
};

std::string help_text() {
  std::string without_effect;
  for (const std::string& name : without_effect_of(words)) {
    const std::size_t line = without_effect.size() - (without_effect.rfind('\n') + 1);
    without_effect += line + name.size() > 100 ? ",\n  " : without_effect.empty() ? "  " : ", ";
    without_effect += name;
  }
  return fmt::format(
      "{}{}\nTaken for the sake of other launchers' command lines, said to have no effect:\n{}\n{}\n",
      help_begin, describe_words(words), without_effect, help_end);
}

// How many ranks --map-by ppr:K:PART asks for; 0: the machine cannot be read.
long long ranks_of_parts(const placement_wish& wish) {
  const std::size_t parts =
      wish.each_on_node ? 1 : count_parts(read_cores(synthetic_machine(), true), wish.map);
  return static_cast<long long>(wish.each * parts);
}

// Ranks of a part that does not say how many: what it says otherwise, in the order of how plainly.
long long usual_ranks(const reading& r, bool only_part) {
  if (r.per_node) return *r.per_node;
  if (r.all.placing.each != 0) return ranks_of_parts(r.all.placing);
  if (r.slots) return *r.slots;
  return only_part ? ranks_of_slurm().value_or(1) : 1;
}

// One command line on its way to options: parts, one after the other.
class command_line {
 public:
  explicit command_line(parsed& result) : result_(result) {}
  void run(std::vector<std::vector<std::string>> parts);

 private:
  bool take_part(std::vector<std::string> words, bool only_part, std::string* configuration);
  bool take_configuration(const std::string& file);
  void finish();
  bool end(int status, std::string text) {
    result_.status = status;
    result_.text = std::move(text);
    return false;
  }
  bool wrong(const std::string& what) { return end(2, mistake(what)); }
  options& all() { return result_.wanted; }
  parsed& result_;
  words_said said_;  // once, for the whole job
};

// False: something is to be shown instead of running a job. `configuration`: where such a file may
// be named.
bool command_line::take_part(std::vector<std::string> part, bool only_part, std::string* configuration) {
  application a;
  reading r{.here = a, .all = all(), .ranks = {}, .slots = {}, .per_node = {}, .configuration = {}};
  const std::string what = read_words(words, part, r, all().notes, said_);
  if (r.help) return end(0, help_text());
  if (!what.empty()) return wrong(what);
  if (r.version) return end(0, fmt::format("mpiexec (Loadstone) {}\n", version));
  if (!r.configuration.empty()) {
    if (configuration == nullptr) return wrong("-configfile: it stands alone, and not in such a file");
    if (!part.empty() || r.ranks || r.slots || r.per_node || a.inherited.said || !a.environment.empty() ||
        !a.folder.empty() || !a.path.empty())
      return wrong(
          fmt::format("-configfile {}: programs and their options stand in its lines", r.configuration));
    *configuration = r.configuration;
    return true;
  }
  if (part.empty()) return wrong("which program? None is given");
  a.command = std::move(part);
  const long long ranks = r.ranks ? *r.ranks : usual_ranks(r, only_part);
  if (ranks == 0 && all().placing.each != 0)
    return wrong("--map-by ppr: the parts of this machine cannot be read: -n is needed");
  if (ranks < 1 || ranks > most_ranks)
    return wrong(fmt::format("{} ranks are asked for: between 1 and {} are possible", ranks, most_ranks));
  if (r.per_node && ranks > *r.per_node)
    note(all().notes, fmt::format("{} ranks a node: no effect: all {} run on this one", *r.per_node, ranks));
  a.ranks = static_cast<std::uint32_t>(ranks);
  all().applications.push_back(std::move(a));
  return true;
}

bool command_line::take_configuration(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return wrong(fmt::format("-configfile {}: {}", file, std::strerror(errno)));
  std::string text;
  char block[4096];
  ssize_t n = 0;
  while ((n = read(descriptor, block, sizeof block)) > 0) text.append(block, static_cast<std::size_t>(n));
  const int failed = n < 0 ? errno : 0;
  close(descriptor);
  if (failed != 0) return wrong(fmt::format("-configfile {}: {}", file, std::strerror(failed)));
  std::vector<std::vector<std::string>> parts;
  if (std::string what = read_configuration(text, &parts); !what.empty())
    return wrong(fmt::format("-configfile {}: {}", file, what));
  for (std::vector<std::string>& part : parts)
    if (!take_part(std::move(part), parts.size() == 1, nullptr)) return false;
  return true;
}

void command_line::finish() {
  // What is said for all parts gives way to what a part says.
  for (application& a : all().applications) {
    if (!a.inherited.said) a.inherited = all().inherited;
    a.environment.insert(a.environment.begin(), all().environment.begin(), all().environment.end());
  }
  const input_wish& input = all().input;
  if (input.whom == input_wish::to::rank && input.rank >= all().world_size())
    wrong(fmt::format("--stdin {}: there are {} ranks", input.rank, all().world_size()));
}

void command_line::run(std::vector<std::vector<std::string>> parts) {
  for (std::vector<std::string>& part : parts) {
    std::string configuration;
    if (!take_part(std::move(part), parts.size() == 1, parts.size() == 1 ? &configuration : nullptr)) return;
    if (!configuration.empty() && !take_configuration(configuration)) return;
  }
  finish();
}

}  // namespace

parsed parse_command_line(int argc, const char* const* argv) {
  parsed result;
  // A value of no use is named by the ranks, as for every setting.
  if (const char* bytes = std::getenv(shared_heap_variable))
    static_cast<void>(parse_shared_heap(bytes, &result.wanted.shared_heap));
  if (const char* count = std::getenv("LOADSTONE_IO_RANKS"))
    static_cast<void>(parse_io_ranks(count, &result.wanted.io_ranks));
  std::vector<std::vector<std::string>> parts(1);
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == ":")
      parts.emplace_back();
    else
      parts.back().emplace_back(argv[i]);
  }
  command_line(result).run(std::move(parts));
  return result;
}

}  // namespace loadstone::launch
