/* The thread that copies for others what lies in many blocks: it does not run while nobody asks, a child of a fork has none and
 * ends as any process does, and the parent's goes on. Usage: win_thread RANKS; of which rank 0 is the target. */
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "windows.h"

enum { blocks = 1 << 14, apart = 4 };

/* Of all threads but the calling one: how many there are, and how often they were given a core. */
static int other_threads(unsigned long* runs) {
  int count = 0;
  *runs = 0;
  DIR* tasks = opendir("/proc/self/task");
  CHECK(tasks != NULL);
  for (struct dirent* d; (d = readdir(tasks)) != NULL;) {
    if (d->d_name[0] == '.' || atoi(d->d_name) == getpid()) continue;
    char name[300];
    unsigned long ran, waited, times;
    snprintf(name, sizeof name, "/proc/self/task/%s/schedstat", d->d_name);
    FILE* stat = fopen(name, "r");
    if (stat == NULL) continue; /* it has just ended */
    CHECK(fscanf(stat, "%lu %lu %lu", &ran, &waited, &times) == 3);
    fclose(stat);
    *runs += times;
    ++count;
  }
  closedir(tasks);
  return count;
}

static void put_blocks(const int64_t* memory, int64_t value, MPI_Win win) {
  volatile const int64_t* const last = memory + apart * (blocks - 1);
  unsigned long before = 0, after;
  if (rank == 0) CHECK(other_threads(&before) == 1); /* before anybody asks */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    while (*last != value) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < blocks; ++i) CHECK(memory[apart * i] == value);
    CHECK(other_threads(&after) == 1 && after > before);
  } else {
    if (rank == 1) {
      static int64_t data[blocks];
      for (int i = 0; i < blocks; ++i) data[i] = value;
      MPI_Datatype type;
      MPI_Type_vector(blocks, 1, apart, MPI_INT64_T, &type);
      MPI_Type_commit(&type);
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      MPI_Put(data, blocks, MPI_INT64_T, 0, 0, 1, type, win);
      MPI_Win_unlock(0, win);
      MPI_Type_free(&type);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  if (!on_loadstone()) return MPI_Finalize();
  unsigned long before, after;
  CHECK(other_threads(&before) == 0);
  MPI_Win win;
  int64_t* memory = make_window(created, 8 * apart * blocks, 8, MPI_COMM_WORLD, &win);
  put_blocks(memory, 1, win);
  if (rank == 0) {
    usleep(50000); /* it sleeps by now */
    CHECK(other_threads(&before) == 1);
    usleep(300000);
    CHECK(other_threads(&after) == 1 && after == before);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) exit(other_threads(&after)); /* with all that is done at the end of a process */
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  put_blocks(memory, 2, win);
  free_window(created, memory, &win);
  MPI_Finalize();
  /* Who has ended may be seen for a moment more. */
  for (int i = 0; i < 1000 && other_threads(&after) != 0; ++i) usleep(1000);
  return other_threads(&after);
}
