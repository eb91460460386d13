// Tasks that a process and forks of it share: each is done, whatever becomes of a fork.
#include "analyzer/isolation/shared_tasks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace syncsniff::isolation {
namespace {

constexpr size_t kTasks = 20;

// Squares of the task's numbers. `in_fork` is called in forks alone, before each task.
class Squares {
 public:
  explicit Squares(std::function<void(size_t)> in_fork = [](size_t) {}) {
    tasks_.run = [this, in_fork](size_t i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that the others get some
      if (getpid() != here_) in_fork(i);
      squares_[i] = i * i;
    };
    tasks_.pack = [this](size_t i) { return std::to_string(squares_[i]); };
    tasks_.take = [this](size_t i, std::string_view made) { squares_[i] = std::stoul(std::string(made)), ++taken_; };
  }
  bool all_done(unsigned processes) {
    share_tasks(kTasks, processes, tasks_);
    for (size_t i = 0; i < kTasks; ++i)
      if (squares_[i] != i * i) return false;
    return true;
  }
  size_t taken() const { return taken_; }

 private:
  const pid_t here_ = getpid();
  std::vector<size_t> squares_ = std::vector<size_t>(kTasks, kTasks* kTasks);
  size_t taken_ = 0;
  SharedTasks tasks_;
};

TEST(SharedTasks, ForksHandBackWhatTheyDid) {
  Squares squares;
  EXPECT_TRUE(squares.all_done(3));
  EXPECT_GT(squares.taken(), 0u);
}

TEST(SharedTasks, OneProcessDoesThemAlone) {
  Squares squares;
  EXPECT_TRUE(squares.all_done(1));
  EXPECT_EQ(squares.taken(), 0u);
}

TEST(SharedTasks, WhatACrashedForkHadIsDoneHere) {
  Squares squares([](size_t i) {
    if (i > 3) raise(SIGKILL);
  });
  EXPECT_TRUE(squares.all_done(2));
  EXPECT_EQ(squares.taken(), 0u) << "an answer that was cut off counts for nothing";
}

}  // namespace
}  // namespace syncsniff::isolation
