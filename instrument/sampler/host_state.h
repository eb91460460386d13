// Finds out what a thread waits for, from the system call that it is in, as given by /proc/PID/task/TID/syscall
// (x86-64).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/trace/format.h"

namespace syncsniff::sampler {

// Address range of the interpreter's data, which contains the GIL; both 0: there is no interpreter.
struct InterpreterData {
  uint64_t begin = 0, end = 0;
};

// `text`: content of that file. kUnknown if the thread is in no system call or an unknown one and does not run.
trace::HostState state_of_syscall(std::string_view text, const InterpreterData& interpreter);
// The stack pointer in that file's content; 0: none, since the thread runs.
uint64_t stack_pointer_of(std::string_view text);
// The first argument of the system call; 0: there is no call.
uint64_t first_argument_of(std::string_view text);

// The state from /proc/PID/task/TID/stat, which only shows whether the thread runs.
trace::HostState state_of_stat(std::string_view text);

// Reads the syscall file of one thread, or its stat file if that is refused. The file is held open, since opening it
// takes five times as long as reading it.
class ThreadStateFile {
 public:
  ThreadStateFile(pid_t pid, uint32_t tid);
  ~ThreadStateFile();
  ThreadStateFile(const ThreadStateFile&) = delete;
  ThreadStateFile& operator=(const ThreadStateFile&) = delete;
  // Returns ESRCH if the thread has ended; another errno if system calls cannot be read, with the reason; otherwise 0.
  int read(const InterpreterData& interpreter, trace::HostState& state);
  // From the last reading: the stack pointer, and the first argument of the system call. 0: not known.
  uint64_t stack_pointer() const { return stack_pointer_; }
  uint64_t first_argument() const { return first_argument_; }

 private:
  void use_stat(int refused);

  const std::string folder_;
  int file_ = -1, refused_ = 0;
  uint64_t stack_pointer_ = 0, first_argument_ = 0;
};

}  // namespace syncsniff::sampler
