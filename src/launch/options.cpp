#include "launch/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "launch/shared_heap.hpp"
#include "launch/version.hpp"

namespace loadstone::launch {

namespace {

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

// Options that take a value, for finding where a part's own options end.
bool takes_value(const std::string& word) {
  for (const char* name : {"-n", "-np", "--np", "--bind-to", "--timeout", "-x", "--env", "--wdir", "-wdir"})
    if (word == name) return true;
  return false;
}

// `-np` and `-wdir`, as people have typed them for thirty years, are no names in the usual grammar of
// options.
void respell(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words[i].size() > 1 && words[i][0] == '-'; ++i) {
    bool value = takes_value(words[i]);
    if (words[i] == "-np") words[i] = "-n";
    if (words[i] == "-wdir") words[i] = "--wdir";
    if (value) ++i;
  }
}

struct part {
  long long ranks = 1;
  std::string binding, folder, shared_heap;
  bool label = false, version = false, ignored = false;
  double timeout = 0;
  std::vector<std::string> variables;
};

void describe(CLI::App& app, part& p) {
  app.name("mpiexec");
  app.prefix_command();
  app.footer(help_end);
  app.set_help_flag("-h,--help", "Show this text");
  app.add_option("-n,--np", p.ranks, "Number of ranks (also -np); 1 if not given")->type_name("RANKS");
  app.add_option("--bind-to", p.binding,
                 "core: one core for each rank; none: any. If not given:\n"
                 "ranks are bound if there are enough free cores")
      ->type_name("core|none");
  app.add_flag("-l,--label", p.label, "Put [rank] before each line of output");
  app.add_option("--timeout", p.timeout, "Report who waits for whom and end the job after so many seconds")
      ->type_name("SECONDS");
  app.add_option("-x,--env", p.variables,
                 "Set an environment variable for the ranks (others are handed on anyway)")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--shared-heap{" + std::to_string(usual_shared_heap) + "}", p.shared_heap,
               "Blocks of the program's memory from so many bytes on (" + std::to_string(usual_shared_heap) +
                   " if not\n"
                   "given) are taken from memory that all ranks can reach: messages from\n"
                   "and to them are copied once");
  app.add_option("--wdir", p.folder, "Start the ranks in this folder")->type_name("FOLDER");
  app.add_flag("--version", p.version, "Show the version");
  // Words that other launchers need for what is normal here: taken, so that their command lines run.
  app.add_flag("--oversubscribe,--allow-run-as-root", p.ignored)->group("");
}

std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  const std::string usage = "mpiexec [OPTIONS]";
  std::size_t at = text.find(usage);
  if (at != text.npos)
    text.replace(at, usage.size(), "mpiexec [OPTIONS] program [arguments] [: [OPTIONS] program …]");
  // The grammar of options shows what a flag without a value means, instead of what the value is.
  const std::string flag = fmt::format("--shared-heap{{{}}} ", usual_shared_heap);
  at = text.find(flag);
  if (at != text.npos) text.replace(at, flag.size(), "--shared-heap[=BYTES]");
  while ((at = text.find("\n\n\n")) != text.npos) text.erase(at, 1);
  return text + "\n";
}

std::string mistake(const std::string& what) {
  return fmt::format("mpiexec: {}\nTry: mpiexec --help\n", what);
}

// Parses one part; a non-empty answer is the mistake or the text to show (`status` then says which).
std::string parse_part(std::vector<std::string> words, application& a, options& all, int* status) {
  respell(words);
  CLI::App app{
      "Starts the ranks of an MPI program (or of any program) on this machine, and looks after them.\n"};
  part p;
  describe(app, p);
  *status = 2;
  try {
    std::vector<std::string> backwards(words.rbegin(), words.rend());
    app.parse(backwards);
  } catch (const CLI::CallForHelp&) {
    *status = 0;
    return help_text(app);
  } catch (const CLI::Error& e) {
    return mistake(e.what());
  }
  if (p.version) {
    *status = 0;
    return fmt::format("mpiexec (Loadstone) {}\n", version);
  }
  a.command = app.remaining();
  if (!a.command.empty() && a.command.front() == "--")
    a.command.erase(a.command.begin());
  else if (!a.command.empty() && a.command.front().size() > 1 && a.command.front()[0] == '-')
    return mistake(fmt::format("there is no option {}", a.command.front()));
  if (a.command.empty()) return mistake("which program? None is given");
  if (p.ranks < 1 || p.ranks > 100'000)
    return mistake(fmt::format("-n {}: the number of ranks must be between 1 and 100000", p.ranks));
  a.ranks = static_cast<std::uint32_t>(p.ranks);
  a.folder = p.folder;
  for (const std::string& variable : p.variables) {
    std::size_t equals = variable.find('=');
    if (equals == 0 || variable.empty()) return mistake(fmt::format("-x {}: a name is missing", variable));
    if (equals != std::string::npos) {
      a.environment.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
    } else if (const char* value = std::getenv(variable.c_str())) {
      a.environment.emplace_back(variable, value);
    } else {
      return mistake(fmt::format("-x {}: this variable is not set here; give a value with -x {}=VALUE",
                                 variable, variable));
    }
  }
  if (!p.binding.empty() && p.binding != "core" && p.binding != "none")
    return mistake(fmt::format("--bind-to {}: core or none is possible", p.binding));
  if (app.count("--timeout") != 0 && !(p.timeout > 0))
    return mistake(fmt::format("--timeout {}: a positive number of seconds is needed", p.timeout));
  if (!p.binding.empty()) all.binding = p.binding == "core" ? binding_wish::core : binding_wish::none;
  all.label = all.label || p.label;
  if (p.timeout > 0) all.timeout = p.timeout;
  if (!p.shared_heap.empty() && !parse_shared_heap(p.shared_heap, &all.shared_heap))
    return mistake(fmt::format("--shared-heap={}: a number of bytes, {} at least, is needed", p.shared_heap,
                               least_shared_heap));
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
    result.text = parse_part(std::move(words), a, result.wanted, &result.status);
    if (result.status >= 0) return result;
    result.wanted.applications.push_back(std::move(a));
  }
  return result;
}

}  // namespace loadstone::launch
