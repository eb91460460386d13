// One worker process of the pool: what runs in it, and how it says how it ended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "analyzer/isolation/worker_pool.h"

namespace syncsniff::isolation {

// A worker leaves with this status when memory ran out. Any other end before the answer is a crash.
inline constexpr int kOutOfMemory = 77;

// Both ends are message streams: a task's number goes down, a Header and the answer come up.
struct Header {
  uint64_t task;
  uint64_t bytes;   // of the answer, which follows
  uint64_t leaves;  // 1: the worker takes no other task
};

// Never returns, not by an exception either, since the caller's frames belong to the process that forked: reads task
// numbers from `tasks` until it is closed, writes answers to `answers`.
[[noreturn]] void work(int tasks, int answers, pid_t parent, const Limits& limits,
                       const std::function<std::string(size_t)>& task) noexcept;

// False on an error.
bool write_exactly(int to, const void* from, size_t bytes);

}  // namespace syncsniff::isolation
