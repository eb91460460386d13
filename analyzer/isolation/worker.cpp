#include "analyzer/isolation/worker.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <new>

namespace syncsniff::isolation {
namespace {

// Clang and our own walks recurse as deep as the source nests. The kernel leaves at least 128 MB below a main thread's
// stack, so this much can always be used.
constexpr rlim_t kStackBytes = 112u << 20;
// A worker that has grown past this is replaced after its task: its next task starts with little memory in use.
constexpr uint64_t kGrownBytes = 1024ull << 20;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kBoundsAddressSpace = false;  // the sanitizer reserves terabytes
#else
constexpr bool kBoundsAddressSpace = true;
#endif

void set_soft_limit(int resource, rlim_t wanted) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max != RLIM_INFINITY && wanted > limit.rlim_max ? limit.rlim_max : wanted;
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// Memory of this process: address space that is mapped, and pages in memory.
struct Usage {
  uint64_t mapped_bytes = 0, resident_bytes = 0;
};
Usage usage() {
  uint64_t mapped = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> mapped >> resident;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return {mapped * page, resident * page};
}

rlim_t processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1);
}

void leave_for_memory() { _exit(kOutOfMemory); }

void settle_in(pid_t parent, const Limits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // the parent ended before the line above
  // What Clang prints when it fails must not be in our output.
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  set_soft_limit(RLIMIT_CORE, 0);
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY && stack.rlim_cur < kStackBytes)
    set_soft_limit(RLIMIT_STACK, kStackBytes);
  std::signal(SIGXCPU, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  std::set_new_handler(leave_for_memory);
  if (kBoundsAddressSpace && limits.bytes != 0) set_soft_limit(RLIMIT_AS, usage().mapped_bytes + limits.bytes);
}

// False at the end of the stream or on an error.
bool read_exactly(int from, void* to, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t count = read(from, static_cast<char*>(to) + done, bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

bool write_exactly(int to, const void* from, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t count = write(to, static_cast<const char*>(from) + done, bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

void work(int tasks, int answers, pid_t parent, const Limits& limits,
          const std::function<std::string(size_t)>& task) noexcept {
  settle_in(parent, limits);
  uint64_t next = 0;
  while (read_exactly(tasks, &next, sizeof next)) {
    set_soft_limit(RLIMIT_CPU, processor_seconds() + limits.seconds);
    std::string answer;
    try {
      answer = task(next);
    } catch (const std::bad_alloc&) {
      leave_for_memory();
    }
    const Header header{next, answer.size(), usage().resident_bytes > kGrownBytes};
    if (!write_exactly(answers, &header, sizeof header) || !write_exactly(answers, answer.data(), answer.size())) break;
    if (header.leaves) break;
  }
  _exit(0);  // runs no destructor: objects shared with the parent belong to the parent
}

}  // namespace syncsniff::isolation
