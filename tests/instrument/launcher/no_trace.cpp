// What is said and returned when nothing was recorded, with and without a GPU.
#include "instrument/launcher/no_trace.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace syncsniff::launcher {
namespace {

ChildEnd exited(int status) { return {1, status, 0}; }
ChildEnd killed(int signal) { return {1, 128 + signal, signal}; }

TEST(NoTrace, WithoutAGpuTheJobCouldNotBeDone) {
  for (const ChildEnd& end : {exited(0), exited(1), exited(7), killed(SIGABRT)})
    EXPECT_EQ(no_trace_status(end, false), 2) << end.exit_status;
}

TEST(NoTrace, WithAGpuTheProgramsOwnFailureIsPassedOn) {
  EXPECT_EQ(no_trace_status(exited(0), true), 2);
  EXPECT_EQ(no_trace_status(exited(7), true), 7);
  EXPECT_EQ(no_trace_status(killed(SIGABRT), true), 134);
}

TEST(NoTrace, OneLineSaysWhatIsKnown) {
  EXPECT_EQ(no_trace_line("./train", exited(1), false),
            "./train: exited with status 1 and no trace was written; no NVIDIA device file (/dev/nvidiactl) is visible "
            "here: run it on a machine with a GPU");
  const std::string line = no_trace_line("./train.sh", killed(SIGABRT), true);
  EXPECT_NE(line.find("./train.sh: was ended by signal 6 (Aborted) and no trace was written"), std::string::npos)
      << line;
  for (const char* reason : {"never started CUDA", "clean environment", "setuid or static"})
    EXPECT_NE(line.find(reason), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(NoTrace, ARemovedOneIsNotBlamedOnTheMachine) {
  EXPECT_EQ(removed_trace_line("./train", exited(0), ".t.sstrace.a1b2c3"),
            "./train: exited with status 0, and its trace is gone: .t.sstrace.a1b2c3, where it lay while the program "
            "ran, was emptied or removed; leave that folder alone and run it again");
}

}  // namespace
}  // namespace syncsniff::launcher
