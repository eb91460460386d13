// Work that one of several processes does for all, and work that is done in a process of its own.
#include "analyzer/isolation/claims.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "analyzer/isolation/child.h"

namespace syncsniff::isolation {
namespace {

constexpr std::chrono::seconds kLong{600};

// Runs in a process of its own; returns what it left with.
template <class Task>
int in_child(const Task& task) {
  const pid_t child = fork();
  if (child == 0) _exit(task());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Claims, OneOfAllTakesEach) {
  Claims claims(2);
  EXPECT_EQ(in_child([&] { return claims.take(0) ? 1 : 0; }), 1);
  EXPECT_FALSE(claims.take(0));
  EXPECT_TRUE(claims.take(1));
  EXPECT_FALSE(claims.take(1));
}

TEST(Claims, NobodyWaitsForOneWhoHasFinishedOrDied) {
  Claims claims(3);
  claims.wait(0, kLong);
  EXPECT_EQ(in_child([&] { return claims.take(0), claims.finish(0), 0; }), 0);
  claims.wait(0, kLong);
  EXPECT_EQ(in_child([&] { return claims.take(1) ? 7 : 0; }), 7);
  claims.wait(1, kLong);
}

TEST(Claims, WaitingEndsWhenTheWorkDoes) {
  Claims claims(1);
  int began[2];
  ASSERT_EQ(pipe(began), 0);
  const pid_t child = fork();
  if (child == 0) {
    claims.take(0);
    const bool told = write(began[1], "x", 1) == 1;
    usleep(100'000);
    claims.finish(0);
    _exit(told ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(began[0], &byte, 1), 1);
  const auto start = std::chrono::steady_clock::now();
  claims.wait(0, kLong);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(Claims, PatienceEnds) {
  Claims claims(1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    claims.take(0);
    if (write(ends[1], "x", 1) == 1) pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  claims.wait(0, std::chrono::seconds(0));
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(Child, ItsEndIsAwaitedHoweverItEnds) {
  Claims claims(3);
  EXPECT_TRUE(run_in_child([&] { claims.take(0); }, kLong));
  EXPECT_FALSE(claims.take(0));
  EXPECT_FALSE(run_in_child([&] { claims.take(1), abort(); }, kLong));
  EXPECT_FALSE(claims.take(1));
  EXPECT_FALSE(run_in_child([&] { claims.take(2), pause(); }, std::chrono::seconds(1)));
  EXPECT_FALSE(claims.take(2)) << "it began, and was ended";
}

}  // namespace
}  // namespace syncsniff::isolation
