// What a thread waits for, from the system call that it is in, as /proc/PID/task/TID/syscall tells it (x86-64).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "runtime/trace/format.h"

namespace syncsniff::sampler {

// Where Python's global lock lies; both 0: there is no interpreter.
struct InterpreterData {
  uint64_t begin = 0, end = 0;
};

// `text`: of that file. A thread in no system call, or one that is not told, is kUnknown unless it runs.
trace::HostState state_of_syscall(std::string_view text, const InterpreterData& interpreter);

// The file of one thread, held open: to open it costs five times what reading it does.
class ThreadStateFile {
 public:
  ThreadStateFile(pid_t pid, uint32_t tid);
  ~ThreadStateFile();
  ThreadStateFile(const ThreadStateFile&) = delete;
  ThreadStateFile& operator=(const ThreadStateFile&) = delete;
  // 0, or an errno: ESRCH when the thread has ended.
  int read(const InterpreterData& interpreter, trace::HostState& state);

 private:
  int file_ = -1, error_ = 0;
};

}  // namespace syncsniff::sampler
