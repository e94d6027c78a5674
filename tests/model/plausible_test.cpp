// Figures that no machine has are found, and those of all machines that are built in are not.
#include "model/plausible.hpp"

#include <gtest/gtest.h>

namespace loadstone::model {
namespace {

curve of(std::initializer_list<curve::point> points) {
  curve c;
  for (const curve::point& p : points) c.add(p.bytes, p.time);
  return c;
}

TEST(Plausible, MachinesThatAreBuiltIn) {
  for (const machine& m : built_in_machines()) EXPECT_EQ(implausible(m), "");
  machine refused = built_in();  // no process_vm_readv; an older file
  refused.vm = refused.vm_together = {};
  refused.call = refused.piece = refused.turn = refused.fold = 0;
  EXPECT_EQ(implausible(refused), "");
}

TEST(Plausible, FiguresMeasuredUnderLoadAreNone) {
  const auto says = [](auto change, const char* what) {
    machine m = built_in();
    change(m);
    const std::string why = implausible(m);
    EXPECT_NE(why.find(what), std::string::npos) << why;
  };
  says([](machine& m) { m.put = of({{64, 0.001}, {1024, 0.001}, {4096, 0.1}}); },
       "1024 bytes in 0.001 µs (1.02e+03 GB/s)");
  says([](machine& m) { m.get = of({{1024, 0.03}, {4096, 0}}); }, "copying out of shared memory: 4096 bytes");
  says([](machine& m) { m.vm = of({{65536, 900}, {262144, 22}}); }, "65536 bytes took 900 µs");
  says([](machine& m) { m.put = of({{65536, 8}, {262144, 4000}}); }, "65536 bytes took only 8 µs");
  says([](machine& m) { m.together = of({{1 << 20, 1e6}}); }, "slower than any machine");
  says([](machine& m) { m.line = 0; }, "a line from one core to another takes 0 µs");
  says([](machine& m) { m.wake = 1e6; }, "a process that is woken takes 1e+06 µs");
  says([](machine& m) { m.fold = 1e-4; }, "adding 1 KiB of doubles");
}

}  // namespace
}  // namespace loadstone::model
