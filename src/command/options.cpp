#include "command/options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/cpus.hpp"
#include "command/doctor.hpp"
#include "command/explain.hpp"
#include "command/explain_coll.hpp"
#include "command/explain_rma.hpp"
#include "command/info.hpp"
#include "command/model.hpp"
#include "command/model_io.hpp"
#include "launch/version.hpp"

namespace loadstone::command {

namespace {

constexpr const char* help_end = R"(
Each has a help of its own: loadstone doctor --help

  loadstone doctor -n 8        would a job of 8 ranks run as fast as this machine allows? If not, what to do
  loadstone info --changed     the settings that are not as they are delivered
  loadstone model              what messages should cost here, by protocol and size, and what they do cost
  loadstone model io --bytes 64M --every 2   would snapshots of 64 MiB a rank every 2 s be hidden? Which buffer?
  loadstone explain message 65536   which way such a message takes, what each way would cost, and why
  loadstone explain rma 8      the same for a put and a get of 8 bytes
  loadstone explain coll allreduce 8 4   the same for the algorithms of a collective of 4 ranks
  mpiexec --help               how jobs are started)";

constexpr const char* info_end = R"(
A setting is an environment variable that is read when a rank starts (LOADSTONE_TOPOLOGY, LOADSTONE_SHARED_HEAP: when mpiexec
starts). None is needed. Each is also a control variable of MPI_T. What a job is given with mpiexec -x is seen by running this in the job:

  loadstone info                          all of them
  loadstone info EAGER_LIMIT WAIT         two of them
  mpiexec -n 1 -x LOADSTONE_WAIT=block loadstone info --changed

The exit status is 1 if a variable is set to a value of no use, or has a name that nothing reads; else 0.)";

constexpr const char* doctor_end = R"(
Each line is the result of one check:

  ok       as it should be
  remark   works, and costs nothing or little; good to know
  COSTS    works, but slower than this machine could; below it, what it costs and how to mend it
  STOPS    jobs will not start; below it, why and how to mend it

Run it where the jobs run: in the same container, as the same user, under the same batch system.
The exit status is 0 without COSTS and STOPS, 1 with COSTS, 3 with STOPS.)";

constexpr const char* model_end = R"(
It measures the basic transfers between two cores (hand-over of a cache line, copies through shared memory and with
process_vm_readv), predicts from them what each protocol of the library has to cost, and times messages of two ranks, by turns.
Then the same for one-sided operations, by the way to the target's memory.

  limit           the data crosses once, by one core or two, after one cache line: less no protocol can take
  predicted       the steps of the protocol at the cost of the transfers they are made of
  measured        two ranks; the receive is posted
  implementation  predicted / measured: below 100 %, our code costs that much more than the protocol's steps
  protocol        limit / predicted: what the steps cost beyond the bare transfer
  communication   limit / measured: the product

Of collectives it shows the algorithm that is taken beside the quickest, each of them forced, and where one is slower than
what a program could do in its place.

  loadstone model --svg model.svg                        the tables, and a picture of both, over the size
  loadstone model --collectives 8                        collectives of 8 ranks alone
  loadstone model --suggest > here.env                   settings for this machine, as measured now, with the reasons
  set -a; . ./here.env; mpiexec -n 2 ./prog              ... and a job with them

It takes under a minute, and wants two idle cores: other work shows as low efficiencies. The exit status is 1 if it cannot
measure.)";

constexpr const char* model_io_end = R"(
It measures a copy in memory and writing to the file system of FOLDER (a file without a name, for half a second), and predicts
how long a rank is blocked by a snapshot through buffers (active buffering: LOADSTONE_IO_BUFFER), and what would have to change
for it to be a copy only. D: bytes of a rank; T: seconds of computing; R: ranks; S: buffer of a rank; C, W: the two rates.

  o = max(0, D - S)          overflow of a rank, written by the call itself
  R*D <= W*T                 the file system keeps up
  both 0 and true            a call takes D/C; else D/C and what the disk needs for R*o, or for R*D - W*T

  loadstone model io --bytes 64M --every 2 -n 8 --folder /scratch
  mpiexec --io-report ...    the same of a job, as it was)";

constexpr const char* explain_end = R"(
Each way that a message could take, with the time that the model predicts, and the one that the library takes.
PEER says where the buffers lie, and what the system allows:

  ordinary        both in ordinary memory (this, unless said otherwise)
  shared          both where the other can map them: MPI_Alloc_mem, or mpiexec --shared-heap
  shared-send     only the sender's
  shared-receive  only the receiver's
  no-vm           ordinary memory, and the system refuses process_vm_readv

  loadstone explain message 262144                     between blocking calls
  loadstone explain message 64K --peer shared          with a unit: K, M, G
  loadstone explain message 1M --nonblocking -n 8      neither end waits, in a job of 8 ranks
  loadstone explain message 1M --advertised            into an MPI_Irecv that was posted long before

For a one-sided operation, WINDOW says where the target's memory is from:

  allocated   MPI_Win_allocate, MPI_Alloc_mem, or any memory with mpiexec --shared-heap (this, unless said otherwise)
  created     ordinary memory, with MPI_Win_create, or attached to a dynamic window

  loadstone explain rma 1M --window created --blocks 4096   1 MiB that lies in 4096 blocks at the target

For a collective, its name, bytes and ranks: bytes of the vector, of the block of a rank (gather, scatter, allgather), or
for each pair (alltoall). LOADSTONE_COLL_<name>=<algorithm> takes another one.

  loadstone explain coll allreduce 64K 4

The times are of this machine once loadstone model has measured it, else of the one that is built in. The settings are those
of the environment. What is learnt while a job runs may change the way; a line says so. The exit status is 0.)";

std::uint32_t or_processors(std::uint32_t ranks) {
  return ranks != 0 ? ranks : base::usable_cpus();
}

std::string version_text() {
  return fmt::format("loadstone (Loadstone) {}\n  standard  {}\n  built     for {}, by {}, {}",
                     launch::version, launch::standard, launch::processor, launch::compiler,
                     launch::build_type);
}

CLI::App* add(CLI::App& all, const char* name, const char* what, const char* end) {
  CLI::App* one = all.add_subcommand(name, what);
  one->footer(end);
  one->set_help_flag("-h,--help", "Show this text");
  return one;
}

void add_ranks(CLI::App* to, std::uint32_t* ranks, const char* what) {
  to->add_option("-n,--np", *ranks, what)->type_name("RANKS")->check(CLI::Range(1, 100'000));
}

// The words behind `loadstone explain SUBJECT`. Returns what is wrong with them.
std::string understand(const std::string& subject, std::vector<std::string> words, explain_options* found) {
  const bool coll = subject == "coll";
  if (words.size() != (coll ? 3 : 1))
    return coll ? "explain coll takes NAME BYTES RANKS" : "explain " + subject + " takes BYTES";
  const auto number = [](std::string word, std::int64_t least, std::int64_t most, std::int64_t* value) {
    const CLI::AsNumberWithUnit units(
        std::map<std::string, std::int64_t>{{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}});
    try {
      if (std::string wrong = units(word); !wrong.empty()) return wrong;
    } catch (const CLI::Error& mistake) {  // a unit that is none
      return std::string(mistake.what());
    }
    const bool understood = CLI::detail::lexical_cast(word, *value) && *value >= least && *value <= most;
    return understood ? std::string() : fmt::format("{} is not a number from {} to {}", word, least, most);
  };
  if (coll) {
    const std::vector<std::string> known = collectives_to_explain();
    if (std::find(known.begin(), known.end(), words[0]) == known.end())
      return fmt::format("there is no choice of algorithms for {}: {}", words[0], fmt::join(known, ", "));
    found->collective = words[0];
    std::int64_t ranks = 0;
    if (std::string wrong = number(words[2], 1, 100'000, &ranks); !wrong.empty()) return wrong;
    found->ranks = static_cast<std::uint32_t>(ranks);
  }
  return number(words[coll ? 1 : 0], 0, std::int64_t{1} << 50, &found->bytes);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{
      "Loadstone beside its jobs: settings, what this system costs, and how fast messages should be.\n"};
  app.name("loadstone");
  app.footer(help_end);
  app.set_help_flag("-h,--help", "Show this text");
  app.set_version_flag("--version", version_text(), "Show the version, the ABI, and how it was built");
  app.require_subcommand(1);

  info_options info;
  CLI::App* info_command =
      add(app, "info", "Every setting: its value, its default, and where the value came from", info_end);
  info_command->add_flag("--changed", info.changed, "Only the settings that are set");
  info_command->add_option("names", info.names, "Only these settings (LOADSTONE_ may be left out)")
      ->type_name("NAME...");
  add_ranks(info_command, &info.ranks,
            "Say what the automatic choices are for so many ranks; one for each processor if not given");

  doctor_options doctor;
  CLI::App* doctor_command =
      add(app, "doctor", "What on this system costs speed, and how to mend it", doctor_end);
  add_ranks(doctor_command, &doctor.ranks,
            "Check for a job of so many ranks; one for each processor if not given");

  model_options model;
  bool cold = false;
  CLI::App* model_command =
      add(app, "model", "How fast messages should be on this machine, and how fast they are", model_end);
  model_command->add_option("--rounds", model.rounds, "How often everything is measured (3)")
      ->type_name("ROUNDS")
      ->check(CLI::Range(1, 100));
  model_command->add_flag("--cold", cold, "Data that is in no cache, instead of data just written");
  model_command->add_flag("--suggest", model.suggest,
                          "Print the settings that follow, instead of the tables");
  model_command
      ->add_option("--collectives", model.collectives,
                   "Only collectives, of so many ranks, with the machine that has been kept, or one round")
      ->type_name("RANKS")
      ->check(CLI::Range(2, 64));
  model_command->add_option("--svg", model.svg, "Write a picture to this file")->type_name("FILE");

  model_io_options files;
  CLI::App* files_command = add(
      *model_command, "io", "What snapshots to files cost here, and which buffer hides them", model_io_end);
  const auto with_unit = CLI::AsNumberWithUnit(
      std::map<std::string, std::int64_t>{{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}});
  files_command->add_option("--bytes", files.bytes, "What a rank writes in one snapshot (64M)")
      ->type_name("BYTES")
      ->transform(with_unit)
      ->check(CLI::PositiveNumber);
  files_command->add_option("--every", files.interval, "How long it computes between two (1)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  files_command
      ->add_option("--buffer", files.buffer, "The buffer of a rank; as the library would choose if not given")
      ->type_name("BYTES")
      ->transform(with_unit)
      ->check(CLI::NonNegativeNumber);
  files_command->add_option("--folder", files.folder, "On the file system of this folder (.)")
      ->type_name("FOLDER");
  add_ranks(files_command, &files.ranks, "So many ranks; one for each processor if not given");

  explain_options explain;
  std::string subject;
  std::vector<std::string> about;
  bool nonblocking = false;
  CLI::App* explain_command =
      add(app, "explain",
          "Which way a message, a one-sided operation or a collective takes, what each would cost, and why",
          explain_end);
  explain_command->add_option("subject", subject, "What to explain: message, rma, or coll")
      ->type_name("SUBJECT")
      ->required()
      ->check(CLI::IsMember({"message", "rma", "coll"}));
  explain_command->add_option("about", about, "BYTES: how long it is; of a collective NAME BYTES RANKS")
      ->type_name("WORDS")
      ->required()
      ->expected(1, 3);
  explain_command->add_option("--peer", explain.peer, "message: where the buffers lie, and what is allowed")
      ->type_name("PEER")
      ->check(CLI::IsMember(peers_to_explain()));
  explain_command->add_flag("--nonblocking", nonblocking, "message: neither end waits in a blocking call");
  explain_command->add_flag(
      "--advertised", explain.advertised,
      "message: the receive does not wait, names source and tag, and was posted long before");
  explain_command->add_option("--window", explain.window, "rma: where the target's memory is from")
      ->type_name("WINDOW")
      ->check(CLI::IsMember(windows_to_explain()));
  explain_command->add_option("--blocks", explain.blocks, "rma: in so many equal blocks at the target")
      ->type_name("BLOCKS")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  explain_command->add_option("-n,--np", explain.ranks, "In a job of so many ranks (2)")
      ->type_name("RANKS")
      ->check(CLI::Range(1, 100'000));

  // The parser takes a word with one dash apart into letters, -host into a wish for help: of those,
  // two are known.
  std::vector<std::string> words;
  for (int i = argc - 1; i > 0; --i) {
    std::string word = argv[i];
    if (word == "-np" || word == "-help") word.insert(0, "-");
    const bool long_word = word.size() > 2 && word[0] == '-' && word[1] != '-';
    if (long_word && word.find_first_not_of("0123456789=", 2) != std::string::npos) {
      fmt::print(stderr, "loadstone: there is no option {}\nTry: loadstone --help\n", word);
      return 2;
    }
    words.push_back(word);
  }
  try {
    app.parse(words);                     // takes them from the back
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted);
  } catch (const CLI::Error& mistake) {
    const auto chosen = app.get_subcommands();
    fmt::print(stderr, "loadstone: {}\nTry: loadstone {}--help\n", mistake.what(),
               chosen.empty() ? "" : chosen.front()->get_name() + " ");
    return 2;
  }
  info.ranks = or_processors(info.ranks);
  doctor.ranks = or_processors(doctor.ranks);
  model.how = cold ? model::pattern::cold : model::pattern::rewritten;
  files.ranks = or_processors(files.ranks);
  if (files_command->parsed()) return model_files(files);
  if (model_command->parsed()) return show_model(model);
  if (explain_command->parsed())
    if (const std::string wrong = understand(subject, about, &explain); !wrong.empty()) {
      fmt::print(stderr, "loadstone: {}\nTry: loadstone explain --help\n", wrong);
      return 2;
    }
  explain.waits = !nonblocking;
  if (explain_command->parsed()) {
    if (subject == "coll") return explain_coll(explain);
    return subject == "rma" ? explain_rma(explain) : explain_message(explain);
  }
  return info_command->parsed() ? show_settings(info) : show_findings(doctor);
}

}  // namespace loadstone::command
