// One worker process of the pool: the loop that runs in it, and how it reports its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "analyzer/isolation/worker_pool.h"

namespace syncsniff::isolation {

// A worker exits with this status when memory ran out. Any other end before the answer is a crash.
inline constexpr int kOutOfMemory = 77;

// Precedes an answer. Both pipes are message streams: the parent sends a task's number, the worker a Header and the
// answer.
struct Header {
  uint64_t task;
  uint64_t bytes;   // of the answer, which follows
  uint64_t leaves;  // 1: the worker takes no other task
};

// Never returns, nor throws, since the caller's frames belong to the process that forked. Reads task numbers from
// `tasks` until it is closed, and writes answers to `answers`.
[[noreturn]] void work(int tasks, int answers, pid_t parent, const Limits& limits,
                       const std::function<std::string(size_t)>& task) noexcept;

// False on an error.
bool write_exactly(int to, const void* from, size_t bytes);

}  // namespace syncsniff::isolation
