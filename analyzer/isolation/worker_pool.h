// Runs tasks in worker processes, so that a task that crashes, runs out of memory or never ends loses only its own
// result. Knows nothing of Clang, units or facts: a task is a number, its result is bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace syncsniff::isolation {

struct Limits {
  unsigned seconds = 60;         // processor time of one task
  unsigned clock_seconds = 180;  // by the clock, so that a task ends even if it sleeps or has to share its processor
  uint64_t bytes = 4ull << 30;   // address space of one task, beyond what the worker has when it starts; 0: no limit
};

// The outcome of one task.
struct Outcome {
  std::string answer;   // what the task returned; empty when it failed
  std::string failure;  // "crashed (signal 11, segmentation fault)", "over 60 s", "over 4 GB"; empty: it succeeded
};

// Calls `task` for 0 .. count-1 in at most `jobs` worker processes and `done` in this one, once for each, in the order
// in which they end. `starts` is called here before a task is handed out, and `tick` several times a second while tasks
// run. Workers are forked: no other thread may run in this process meanwhile. A worker's standard output and error are
// discarded, and it dies with this process. Errors: std::runtime_error if no worker can be started at all.
void run_isolated(size_t count, unsigned jobs, const Limits& limits, const std::function<std::string(size_t)>& task,
                  const std::function<void(size_t)>& starts, const std::function<void(size_t, Outcome)>& done,
                  const std::function<void()>& tick = {});

}  // namespace syncsniff::isolation
