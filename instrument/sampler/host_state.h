// What a thread waits for, from the system call that it is in, as /proc/PID/task/TID/syscall tells it (x86-64).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/trace/format.h"

namespace syncsniff::sampler {

// Address range of Python's global lock; both 0: there is no interpreter.
struct InterpreterData {
  uint64_t begin = 0, end = 0;
};

// `text`: of that file. A thread in no system call, or one that is not told, is kUnknown unless it runs.
trace::HostState state_of_syscall(std::string_view text, const InterpreterData& interpreter);
// The stack pointer that it tells; 0: none, the thread runs.
uint64_t stack_pointer_of(std::string_view text);
// The first argument of the system call; 0: there is none.
uint64_t first_argument_of(std::string_view text);

// The same from /proc/PID/task/TID/stat, which says no more than whether the thread runs.
trace::HostState state_of_stat(std::string_view text);

// The first of these files of one thread, or the second where that is refused. Held open: to open it costs five times
// what reading it does.
class ThreadStateFile {
 public:
  ThreadStateFile(pid_t pid, uint32_t tid);
  ~ThreadStateFile();
  ThreadStateFile(const ThreadStateFile&) = delete;
  ThreadStateFile& operator=(const ThreadStateFile&) = delete;
  // ESRCH when the thread has ended; another errno: why no system call can be told; else 0.
  int read(const InterpreterData& interpreter, trace::HostState& state);
  // At the last reading: the stack pointer, and the first argument of the system call. 0: not known.
  uint64_t stack_pointer() const { return stack_pointer_; }
  uint64_t first_argument() const { return first_argument_; }

 private:
  void use_stat(int refused);

  const std::string folder_;
  int file_ = -1, refused_ = 0;
  uint64_t stack_pointer_ = 0, first_argument_ = 0;
};

}  // namespace syncsniff::sampler
