// With TIME_WAITS, measures what each wait of this program costs it, so that syncsniff's figures have something to be
// checked against; without, TIMED_WAIT is CUDA_CHECK.
#pragma once

#include <cstdint>

#include "common/clock.h"
#include "common/cuda_check.h"

namespace bad {

class WaitSite {
 public:
  WaitSite(const char* file, int line, const char* call);
  void add(std::uint64_t ns) {
    ++count_;
    total_ns_ += ns;
  }
  void print() const;

 private:
  const char* file_;
  int line_;
  const char* call_;
  std::uint64_t count_ = 0, total_ns_ = 0;
};

// One line a site: wait <file>:<line> <call> <count> <total ns>. None without TIME_WAITS.
void print_wait_table();

}  // namespace bad

#ifdef TIME_WAITS
#define TIMED_WAIT(call)                                             \
  do {                                                               \
    static bad::WaitSite timed_wait_site(__FILE__, __LINE__, #call); \
    const std::uint64_t timed_wait_begin = now_ns();                 \
    CUDA_CHECK(call);                                                \
    timed_wait_site.add(now_ns() - timed_wait_begin);                \
  } while (0)
#else
#define TIMED_WAIT(call) CUDA_CHECK(call)
#endif
