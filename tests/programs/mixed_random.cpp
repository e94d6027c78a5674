// Random programs of everything at once: messages, collectives, windows and a file in one schedule,
// on communicators that come and go, with other things under way. All processes draw the same steps
// from the seed, and know what every word must be (mixed/schedule.hpp). With several threads each
// has a schedule of its own, on a communicator of its own.
//
// usage: mixed_random RANKS [STEPS [SEED [THREADS [FOLDER]]]]
#include <thread>

#include "mixed/schedule.hpp"

int main(int argc, char** argv) {
  const long steps = argc > 2 ? std::atol(argv[2]) : 300;
  const std::uint64_t seed =
      argc > 3 ? std::strtoull(argv[3], nullptr, 10) : static_cast<std::uint64_t>(getpid());
  const int threads = argc > 4 ? std::atoi(argv[4]) : 1;
  const std::string folder = argc > 5 ? argv[5] : "/tmp";
  int provided, rank, size;
  MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && size != std::atoi(argv[1])) MPI_Abort(MPI_COMM_WORLD, 2);
  std::uint64_t common = seed;
  MPI_Bcast(&common, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank == 0) std::fprintf(stderr, "mixed_random: seed %llu\n", static_cast<unsigned long long>(common));
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);

  std::vector<MPI_Comm> bases(static_cast<std::size_t>(threads));
  for (MPI_Comm& base : bases) {
    MPI_Comm_dup(MPI_COMM_WORLD, &base);
    MPI_Comm_set_errhandler(base, MPI_ERRORS_RETURN);
  }
  const auto one = [&](int thread) {
    mixed::schedule(bases[static_cast<std::size_t>(thread)], common, folder, thread).run(steps);
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(one, t);
  one(0);
  for (std::thread& t : others) t.join();
  for (MPI_Comm& base : bases) MPI_Comm_free(&base);
  MPI_Finalize();
}
