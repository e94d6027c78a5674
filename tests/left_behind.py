"""What a job could leave on the system; shared by the tests that look for it."""
import os

# Jobs of other MPI libraries may run, and be killed, beside the tests.
FOREIGN = ("mpich_", "ucx_shm_", "vader_segment", "sm_segment", "Intel_MPI_")
# So do tests of ours that keep their own files there.
FILES = ("file_random.", "file_pages_test.")


def shared_names():
    """The names in /dev/shm."""
    if not os.path.isdir("/dev/shm"):
        return set()
    return {name for name in os.listdir("/dev/shm") if not name.startswith(FOREIGN + FILES)}
