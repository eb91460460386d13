// A task that crashes, overflows, runs for ever, prints or leaves costs its own answer and no other.
#include "analyzer/isolation/worker_pool.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <thread>
#include <vector>

namespace syncsniff::isolation {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;  // bounds no memory, and reports a fault before the signal
#else
constexpr bool kSanitized = false;
#endif

constexpr Limits kSmall{1, 60, 512u << 20};

std::map<size_t, Outcome> run(size_t count, unsigned jobs, const std::function<std::string(size_t)>& task,
                              const Limits& limits = kSmall) {
  std::map<size_t, Outcome> outcomes;
  std::vector<size_t> started;
  run_isolated(
      count, jobs, limits, task, [&](size_t i) { started.push_back(i); },
      [&](size_t i, Outcome outcome) {
        EXPECT_TRUE(outcomes.emplace(i, std::move(outcome)).second) << "task " << i << " ended twice";
      });
  EXPECT_EQ(outcomes.size(), count);
  EXPECT_EQ(started.size(), count);
  return outcomes;
}

volatile int g_sink;
__attribute__((noinline)) int overflow(int depth) {  // NOLINT(misc-no-recursion): that is the point
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  if (depth < 0) return 0;
  g_sink = g_sink + frame[0];
  return overflow(depth + 1) + frame[0];
}

// Tasks 0, 3, 6, ... go wrong; the others answer with their number.
std::map<size_t, Outcome> run_with_bad_third(const std::function<void()>& go_wrong) {
  return run(9, 2, [&](size_t i) {
    if (i % 3 == 0) go_wrong();
    return "answer " + std::to_string(i);
  });
}

void expect_others_untouched(const std::map<size_t, Outcome>& outcomes, const std::string& failure) {
  for (const auto& [i, outcome] : outcomes) {
    if (i % 3 == 0) {
      EXPECT_NE(outcome.failure.find(failure), std::string::npos) << i << ": " << outcome.failure;
      EXPECT_EQ(outcome.answer, "");
    } else {
      EXPECT_EQ(outcome.answer, "answer " + std::to_string(i));
      EXPECT_EQ(outcome.failure, "");
    }
  }
}

TEST(WorkerPool, AnswersComeBackWhole) {
  const auto outcomes = run(40, 3, [](size_t i) { return std::string(i * 100'000, static_cast<char>('a' + i % 26)); });
  for (const auto& [i, outcome] : outcomes) {
    EXPECT_EQ(outcome.failure, "");
    EXPECT_EQ(outcome.answer, std::string(i * 100'000, static_cast<char>('a' + i % 26)));
  }
}

TEST(WorkerPool, NothingToDoStartsNothing) {
  EXPECT_TRUE(run(0, 4, [](size_t) { return std::string(); }).empty());
}

TEST(WorkerPool, ACrashCostsItsOwnAnswer) {
  expect_others_untouched(run_with_bad_third([] { raise(SIGSEGV); }), kSanitized ? "crashed" : "crashed (signal 11");
}

TEST(WorkerPool, AnAbortIsACrash) {
  expect_others_untouched(run_with_bad_third([] { std::abort(); }), "crashed (signal 6");
}

TEST(WorkerPool, AnExceptionThatNobodyCatchesIsACrash) {
  expect_others_untouched(run_with_bad_third([] { throw 1; }), "crashed (signal 6");
}

TEST(WorkerPool, AnOverflowOfTheStackIsACrash) {
  expect_others_untouched(run_with_bad_third([] { overflow(0); }), "crashed");
}

TEST(WorkerPool, LeavingIsACrash) {
  expect_others_untouched(run_with_bad_third([] { _exit(0); }), "crashed (left with status 0)");
  expect_others_untouched(run_with_bad_third([] { std::exit(3); }), "crashed (left with status");
}

TEST(WorkerPool, AnEndlessTaskEndsAtItsBound) {
  const auto outcomes = run(2, 1, [](size_t i) {
    while (i == 0) g_sink = g_sink + 1;
    return std::string("fine");
  });
  EXPECT_EQ(outcomes.at(0).failure, "over 1 s");
  EXPECT_EQ(outcomes.at(1).answer, "fine");
}

TEST(WorkerPool, ATaskThatSleepsEndsByTheClock) {
  const auto begin = std::chrono::steady_clock::now();
  const auto outcomes = run(2, 2,
                            [](size_t i) {
                              if (i == 0) std::this_thread::sleep_for(std::chrono::hours(1));
                              return std::string("fine");
                            },
                            {1, 2, 256u << 20});
  EXPECT_EQ(outcomes.at(0).failure, "over 2 s by the clock");
  EXPECT_EQ(outcomes.at(1).answer, "fine");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(WorkerPool, TooMuchMemoryIsSaid) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer reserves more than any bound";
  const auto outcomes = run(3, 1, [](size_t i) {
    if (i == 1) {
      std::vector<std::string> kept;
      while (true) kept.emplace_back(1u << 20, 'x');
    }
    return std::string("fine");
  });
  EXPECT_EQ(outcomes.at(1).failure, "over 0.5 GB");
  EXPECT_EQ(outcomes.at(0).answer, "fine");
  EXPECT_EQ(outcomes.at(2).answer, "fine");
}

// One that has held much memory is replaced, and the next task meets the whole of its bound.
TEST(WorkerPool, AWorkerThatHasGrownIsReplaced) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer keeps what is freed";
  const auto outcomes = run(3, 1,
                            [](size_t) {
                              static std::vector<std::string> kept;
                              for (int i = 0; i < 1100; ++i) kept.emplace_back(1u << 20, 'x');
                              return std::to_string(getpid());
                            },
                            {60, 180, 1500ull << 20});
  for (const auto& [i, outcome] : outcomes) EXPECT_EQ(outcome.failure, "");
  EXPECT_NE(outcomes.at(0).answer, outcomes.at(1).answer);
}

TEST(WorkerPool, WhatATaskPrintsGoesNowhere) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  run(2, 1, [](size_t) {
    std::cout << "noise" << std::endl;
    std::cerr << "noise" << std::endl;
    return std::string();
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(WorkerPool, AWorkerThatIsKilledFromOutsideIsNamed) {
  const auto outcomes = run(2, 1, [](size_t i) {
    if (i == 0) kill(getpid(), SIGKILL);
    return std::string("fine");
  });
  EXPECT_NE(outcomes.at(0).failure.find("out of memory perhaps"), std::string::npos) << outcomes.at(0).failure;
  EXPECT_EQ(outcomes.at(1).answer, "fine");
}

TEST(WorkerPool, AManyTimesCrashedPoolLeavesNoDescriptorOpen) {
  const auto open_descriptors = [] {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += fcntl(fd, F_GETFD) != -1;
    return count;
  };
  const int before = open_descriptors();
  run(60, 3, [](size_t i) -> std::string {
    if (i % 2 == 0) _exit(1);
    return "fine";
  });
  EXPECT_EQ(open_descriptors(), before);
}

TEST(WorkerPool, WhereNoProcessCanBeStartedItSaysSo) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{3, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  std::string told;
  try {
    run_isolated(1, 1, kSmall, [](size_t) { return std::string(); }, [](size_t) {}, [](size_t, Outcome) {});
  } catch (const std::runtime_error& error) {
    told = error.what();
  }
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_NE(told.find("a worker process cannot be started"), std::string::npos) << told;
}

}  // namespace
}  // namespace syncsniff::isolation
