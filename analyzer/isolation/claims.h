// Work that one of several workers does for all of them, in memory that they share. Knows nothing of what it is.
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

  // In a worker. True for the first who asks: it does the work, and then calls finish().
  bool take(size_t claim);
  void finish(size_t claim);
  // Until who took it has finished or is no more, or `patience` is over. Returns at once where nobody took it.
  void wait(size_t claim, std::chrono::seconds patience) const;

 private:
  const size_t count_;
  std::atomic<pid_t>* const takers_;  // 0: nobody yet
};

}  // namespace syncsniff::isolation
