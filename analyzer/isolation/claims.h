// Items of work, each of which one of several workers does for all of them, in memory that they share. Knows nothing of
// what the work is.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>

namespace syncsniff::isolation {

class Claims {
 public:
  // Errors: std::bad_alloc.
  explicit Claims(size_t count);
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;
  ~Claims();

  // In a worker. True for the first caller, which does the work and then calls finish().
  bool take(size_t claim);
  void finish(size_t claim);
  // Waits until the worker that took it has finished or has died, or `patience` is over. Returns at once if nobody took
  // it.
  void wait(size_t claim, std::chrono::seconds patience) const;

 private:
  const size_t count_;
  std::atomic<pid_t>* const takers_;  // 0: nobody yet
};

}  // namespace syncsniff::isolation
