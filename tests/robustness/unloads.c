/* Loads the library while it runs, uses it, and unloads it, as a program with plugins does.
 * Usage: unloads <path of the library> */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) return 9;
  int (*init)(int*, char***) = (int (*)(int*, char***))dlsym(library, "MPI_Init");
  int (*finalize)(void) = (int (*)(void))dlsym(library, "MPI_Finalize");
  if (init == NULL || finalize == NULL || init(&argc, &argv) != 0 || finalize() != 0) return 8;
  if (dlclose(library) != 0) return 7;
  puts("unloaded");
  return 0;
}
