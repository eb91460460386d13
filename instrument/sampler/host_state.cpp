#include "instrument/sampler/host_state.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>

#include "instrument/sampler/proc_files.h"

namespace syncsniff::sampler {
namespace {

using trace::HostState;

// System calls that the headers of some build systems lack.
constexpr int kEpollPwait2 = 441, kFutexWaitv = 449, kFutexWait = 455;

// System calls that may block for long. `descriptors`: which of the first two arguments is the number of descriptors
// that the call waits for; if that is 0, the call is a sleep. -1: there is no such argument.
struct CallState {
  int call;
  HostState state;
  int descriptors = -1;
};
constexpr CallState kCalls[] = {
    {SYS_nanosleep, HostState::kAsleep}, {SYS_clock_nanosleep, HostState::kAsleep},
    {SYS_futex, HostState::kLock},       {kFutexWait, HostState::kLock},
    {kFutexWaitv, HostState::kLock},     {SYS_fcntl, HostState::kLock},
    {SYS_flock, HostState::kLock},       {SYS_read, HostState::kRead},
    {SYS_pread64, HostState::kRead},     {SYS_readv, HostState::kRead},
    {SYS_preadv, HostState::kRead},      {SYS_write, HostState::kRead},
    {SYS_pwrite64, HostState::kRead},    {SYS_writev, HostState::kRead},
    {SYS_pwritev, HostState::kRead},     {SYS_recvfrom, HostState::kRead},
    {SYS_recvmsg, HostState::kRead},     {SYS_recvmmsg, HostState::kRead},
    {SYS_sendto, HostState::kRead},      {SYS_sendmsg, HostState::kRead},
    {SYS_sendmmsg, HostState::kRead},    {SYS_accept, HostState::kRead},
    {SYS_accept4, HostState::kRead},     {SYS_fsync, HostState::kRead},
    {SYS_fdatasync, HostState::kRead},   {SYS_select, HostState::kPoll, 0},
    {SYS_pselect6, HostState::kPoll, 0}, {SYS_poll, HostState::kPoll, 1},
    {SYS_ppoll, HostState::kPoll, 1},    {SYS_epoll_wait, HostState::kPoll},
    {SYS_epoll_pwait, HostState::kPoll}, {kEpollPwait2, HostState::kPoll},
    {SYS_wait4, HostState::kProcess},    {SYS_waitid, HostState::kProcess},
};

HostState state_of_call(int call, const uint64_t* arguments, const InterpreterData& interpreter) {
  const auto known =
      std::find_if(std::begin(kCalls), std::end(kCalls), [&](const CallState& c) { return c.call == call; });
  if (known == std::end(kCalls)) return HostState::kUnknown;
  if (known->descriptors >= 0 && arguments[known->descriptors] == 0) return HostState::kAsleep;
  const bool is_futex = call == SYS_futex || call == kFutexWait;  // the first argument is the futex's address
  const bool is_of_interpreter = arguments[0] >= interpreter.begin && arguments[0] < interpreter.end;
  return is_futex && is_of_interpreter ? HostState::kInterpreter : known->state;
}

}  // namespace

HostState state_of_syscall(std::string_view text, const InterpreterData& interpreter) {
  if (text.substr(0, 7) == "running") return HostState::kRunning;
  int call = -1;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, call);
  if (number.ec != std::errc{} || call < 0) return HostState::kUnknown;
  uint64_t arguments[2] = {};
  const char* at = number.ptr;
  for (uint64_t& argument : arguments) {
    if (end - at < 4) return HostState::kUnknown;
    const auto parsed = std::from_chars(at + 3, end, argument, 16);  // after " 0x"
    if (parsed.ec != std::errc{}) return HostState::kUnknown;
    at = parsed.ptr;
  }
  return state_of_call(call, arguments, interpreter);
}

// The stack pointer is the last word but one.
uint64_t stack_pointer_of(std::string_view text) {
  const size_t counter = text.rfind(" 0x");
  const size_t pointer = counter != text.npos && counter != 0 ? text.rfind(" 0x", counter - 1) : text.npos;
  if (pointer == text.npos) return 0;
  uint64_t value = 0;
  std::from_chars(text.data() + pointer + 3, text.data() + counter, value, 16);
  return value;
}

uint64_t first_argument_of(std::string_view text) {
  const size_t at = text.find(" 0x");
  uint64_t value = 0;
  if (at != text.npos) std::from_chars(text.data() + at + 3, text.data() + text.size(), value, 16);
  return value;
}

HostState state_of_stat(std::string_view text) {
  return word_of_stat(text, 3) == "R" ? HostState::kRunning : HostState::kUnknown;
}

ThreadStateFile::ThreadStateFile(pid_t pid, uint32_t tid)
    : folder_("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/"),
      file_(open((folder_ + "syscall").c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) use_stat(errno);
}

ThreadStateFile::~ThreadStateFile() {
  if (file_ >= 0) close(file_);
}

void ThreadStateFile::use_stat(int refused) {
  refused_ = refused;
  if (file_ >= 0) close(file_);
  file_ = open((folder_ + "stat").c_str(), O_RDONLY | O_CLOEXEC);
}

int ThreadStateFile::read(const InterpreterData& interpreter, HostState& state) {
  state = HostState::kUnknown;
  char text[512];
  ssize_t bytes = pread(file_, text, sizeof text, 0);
  if (bytes < 0 && errno != ESRCH && refused_ == 0) {  // the permission is checked at each read
    use_stat(errno);
    bytes = pread(file_, text, sizeof text, 0);
  }
  if (bytes <= 0) return ESRCH;
  const std::string_view line(text, static_cast<size_t>(bytes));
  stack_pointer_ = refused_ == 0 ? stack_pointer_of(line) : 0;
  first_argument_ = refused_ == 0 ? first_argument_of(line) : 0;
  state = refused_ == 0 ? state_of_syscall(line, interpreter) : state_of_stat(line);
  return refused_;
}

}  // namespace syncsniff::sampler
