#include "instrument/launcher/group_witness.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <string_view>

namespace syncsniff::launcher {

struct WitnessedSignals {
  struct Last {
    std::atomic<int64_t> time_ns{0};  // CLOCK_MONOTONIC; 0: never
    std::atomic<pid_t> sender{0};
  };
  Last last[_NSIG];
  // Set while the witness takes a signal: what it takes is no longer pending, and not yet noted.
  std::atomic<bool> is_taking{false};
};
static_assert(std::atomic<int64_t>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

namespace {

constexpr int64_t kMs = 1000000;
// How long the launcher waits for the witness to be sent the signal. kill() sends it to one process of the group after
// the other.
constexpr int64_t kGraceNs = 20 * kMs;
// How long the launcher waits for a witness that is interrupted while it takes a signal.
constexpr int64_t kTakingNs = 1000 * kMs;
// timeout(1) signals its child and then its group: the launcher gets two signals, the program must get one.
constexpr int64_t kSameSendNs = 100 * kMs;

int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 * kMs + now.tv_nsec;
}

// "/proc/PID/status" without the C library's formatting, which handlers may not call.
class StatusPath {
 public:
  explicit StatusPath(pid_t pid) noexcept {
    char digits[16];
    int count = 0;
    for (; pid > 0; pid /= 10) digits[count++] = static_cast<char>('0' + pid % 10);
    char* at = std::copy_n("/proc/", 6, text_);
    while (count > 0) *at++ = digits[--count];
    *std::copy_n("/status", 7, at) = '\0';
  }
  const char* text() const noexcept { return text_; }

 private:
  char text_[32];
};

// Whether the signal was sent to the process, which has not taken it yet. On a loaded machine it may take it late.
bool is_pending(pid_t pid, int signal) noexcept {
  constexpr std::string_view kLine = "\nShdPnd:\t";
  const int file = open(StatusPath(pid).text(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[4096];
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  const std::string_view status(text, size > 0 ? static_cast<size_t>(size) : 0);
  const size_t line = status.find(kLine);
  if (line == status.npos) return false;
  uint64_t pending = 0;  // bit 0 is signal 1
  const char* const digits = status.data() + line + kLine.size();
  std::from_chars(digits, status.data() + status.size(), pending, 16);
  return (pending >> (signal - 1) & 1) != 0;
}

[[noreturn]] void watch(WitnessedSignals& seen, pid_t launcher) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(0);
  prctl(PR_SET_NAME, "syncsniff-group");
  close_range(0, ~0u, 0);  // so that no pipe stays open because of the witness
  // The witness can be stopped with its group, so that signals sent meanwhile reach it when they reach the others.
  sigset_t stops, all;
  sigemptyset(&stops);
  for (int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) sigaddset(&stops, signal);
  sigprocmask(SIG_UNBLOCK, &stops, nullptr);
  sigfillset(&all);
  for (int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) sigdelset(&all, signal);
  // Not sigwaitinfo(): a signal that it has taken is neither pending nor noted until this process runs again.
  pollfd signals{signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC), POLLIN, 0};
  if (signals.fd < 0) _exit(0);
  for (;;) {
    if (poll(&signals, 1, -1) < 0 && errno != EINTR) _exit(0);
    seen.is_taking.store(true);
    signalfd_siginfo info{};
    if (read(signals.fd, &info, sizeof info) == sizeof info && info.ssi_signo < _NSIG && info.ssi_code == SI_USER) {
      WitnessedSignals::Last& last = seen.last[info.ssi_signo];
      last.sender.store(static_cast<pid_t>(info.ssi_pid), std::memory_order_relaxed);
      last.time_ns.store(now_ns(), std::memory_order_release);
    }
    seen.is_taking.store(false);
  }
}

}  // namespace

GroupWitness::GroupWitness() {
  void* page = mmap(nullptr, sizeof(WitnessedSignals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  seen_ = new (page) WitnessedSignals;
  const pid_t launcher = getpid();
  pid_ = fork();
  if (pid_ == 0) watch(*seen_, launcher);
}

GroupWitness::~GroupWitness() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (seen_ != nullptr) munmap(seen_, sizeof *seen_);
}

bool GroupWitness::saw(int signal, pid_t sender) const noexcept {
  if (pid_ <= 0 || signal <= 0 || signal >= _NSIG) return false;
  const WitnessedSignals::Last& last = seen_->last[signal];
  const int64_t begin_ns = now_ns();
  int64_t limit_ns = kGraceNs;
  do {
    if (is_pending(pid_, signal)) return true;
    // In this order: what was taken before the look above is being taken here, or noted.
    limit_ns = seen_->is_taking.load() ? kTakingNs : kGraceNs;
    const int64_t time = last.time_ns.load(std::memory_order_acquire);
    if (time != 0 && time > begin_ns - kSameSendNs && last.sender.load(std::memory_order_relaxed) == sender)
      return true;
    const timespec pause{0, kMs / 2};
    nanosleep(&pause, nullptr);
  } while (now_ns() - begin_ns < limit_ns);
  return false;
}

}  // namespace syncsniff::launcher
