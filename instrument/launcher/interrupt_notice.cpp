#include "instrument/launcher/interrupt_notice.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "rules/untrusted_text.h"

namespace syncsniff::launcher {
namespace {

constexpr size_t kMostLines = 8;

std::atomic<const char*> notice{nullptr};
static_assert(std::atomic<const char*>::is_always_lock_free);

// Writing to a pipe that nobody reads must not block the interrupt: up to PIPE_BUF bytes are written completely or not
// at all.
void print_and_end(int signal) {
  const char* const text = notice.load(std::memory_order_acquire);
  if (text == nullptr) {
    ::signal(signal, SIG_DFL);
    raise(signal);  // delivered when this handler returns
    return;
  }
  pollfd err{STDERR_FILENO, POLLOUT, 0};
  if (poll(&err, 1, 0) == 1 && err.revents == POLLOUT) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::min<size_t>(std::strlen(text), PIPE_BUF));
  }
  _exit(128 + signal);
}

}  // namespace

InterruptNotice::InterruptNotice() {
  lines_.reserve(kMostLines);
  sigaction(SIGINT, nullptr, &old_);
  if (old_.sa_handler == SIG_IGN) return;
  struct sigaction action{};
  action.sa_handler = print_and_end;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

InterruptNotice::~InterruptNotice() {
  sigaction(SIGINT, &old_, nullptr);
  notice.store(nullptr, std::memory_order_release);
}

void InterruptNotice::say(const std::string& line) {
  if (lines_.size() == kMostLines) return;
  // The first line break ends the line with the terminal's ^C, or an unfinished line of the report.
  lines_.push_back("\nsyncsniff: " + printable(line) + "\n");
  notice.store(lines_.back().c_str(), std::memory_order_release);
}

}  // namespace syncsniff::launcher
