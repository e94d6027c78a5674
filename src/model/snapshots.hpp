// What periodic output through buffers costs (active buffering, decision 025): the sizing of
// buffers, intervals and writers. A rank that writes D bytes copies them at rate C into a buffer of
// S, and writes by itself what finds no room; all R ranks share W of the file system, which has the
// interval T between two snapshots to take what was buffered.
//
//   overflow of a rank   o = max(0, D − S)
//   the file system keeps up                 R·D ≤ W·T
//   no call is blocked by more than a copy   both: D ≤ S and R·D ≤ W·T
#pragma once

namespace loadstone::model {

struct snapshot_load {
  double bytes = 0;       // of one rank in one snapshot (D)
  double interval = 0;    // seconds of computing between two (T)
  double ranks = 1;       // R
  double buffer = 0;      // of one rank (S)
  double copy_rate = 1;   // bytes a second, of one rank (C)
  double write_rate = 1;  // bytes a second, of all together (W)
};

struct snapshot_forecast {
  double overflow = 0;        // bytes of a rank in each snapshot
  bool keeps_up = false;      // the file system
  double unbuffered = 0;      // seconds of a snapshot without buffers
  double visible = 0;         // seconds of a call, in the steady state
  double hidden = 0;          // share of `unbuffered` that is not seen
  double least_buffer = 0;    // of a rank, so that nothing overflows
  double least_interval = 0;  // so that the file system keeps up
  double most_bytes = 0;      // of a rank, with this buffer and this interval
  double most_ranks = 0;      // with these bytes and this interval
};

snapshot_forecast forecast(const snapshot_load& of);

}  // namespace loadstone::model
