// The processes below this one. As a subreaper we become the parent of every orphan among them, so
// that killing our children again and again reaches all, whatever session or process group they
// have moved to.
#pragma once

#include <sys/types.h>

#include <functional>
#include <span>
#include <vector>

namespace loadstone::launch {

std::vector<pid_t> children_of_this_process();

// Kills and reaps every child, grandchild … except those for which keep(pid) is true (they are
// killed, but not reaped). Returns when none is left, but for `spared`, which are left alone.
void kill_descendants(const std::function<bool(pid_t)>& keep, std::span<const pid_t> spared = {});

// Reaps children that have ended and for which keep(pid) is false: orphans that came to us.
void reap_orphans(const std::function<bool(pid_t)>& keep);

}  // namespace loadstone::launch
