// What a Ctrl-C says while a report is made.
#include "instrument/launcher/interrupt_notice.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace syncsniff::launcher {
namespace {

TEST(InterruptNotice, SaysTheLastLineAndEndsWith130) {
  const auto interrupted = [] {
    InterruptNotice notice;
    notice.say("it lies in .t.sstrace.a1b2c3");
    notice.say("the trace is t\x1b[31m.sstrace");
    raise(SIGINT);
  };
  EXPECT_EXIT(interrupted(), testing::ExitedWithCode(130), "^\nsyncsniff: the trace is t\\\\x1b\\[31m\\.sstrace\n$");
}

TEST(InterruptNotice, WithNothingToSayTheSignalDoesWhatItDid) {
  const auto interrupted = [] {
    InterruptNotice notice;
    raise(SIGINT);
  };
  EXPECT_EXIT(interrupted(), testing::KilledBySignal(SIGINT), "^$");
}

TEST(InterruptNotice, AnIgnoredOneStaysIgnored) {
  const auto interrupted = [] {
    signal(SIGINT, SIG_IGN);
    InterruptNotice notice;
    notice.say("the trace is t.sstrace");
    raise(SIGINT);
    _exit(7);
  };
  EXPECT_EXIT(interrupted(), testing::ExitedWithCode(7), "^$");
}

// `2>&1 | less`, which has stopped to read.
TEST(InterruptNotice, AFullPipeKeepsNobodyWaiting) {
  const auto interrupted = [] {
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) _exit(1);
    alarm(10);
    const std::string all(static_cast<size_t>(fcntl(ends[1], F_GETPIPE_SZ)), 'x');
    if (write(ends[1], all.data(), all.size()) < 0) _exit(1);
    InterruptNotice notice;
    notice.say("the trace is t.sstrace");
    raise(SIGINT);
  };
  EXPECT_EXIT(interrupted(), testing::ExitedWithCode(130), "");
}

TEST(InterruptNotice, TheOldHandlerComesBack) {
  struct sigaction before{}, after{};
  sigaction(SIGINT, nullptr, &before);
  {
    InterruptNotice notice;
  }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace syncsniff::launcher
