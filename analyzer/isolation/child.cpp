#include "analyzer/isolation/child.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace syncsniff::isolation {
namespace {

constexpr std::chrono::milliseconds kBetweenPolls{5};

[[noreturn]] void work_for(const std::function<void()>& task, pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) task();
  _exit(0);  // runs no destructor: objects shared with the parent belong to the parent
}

}  // namespace

bool run_in_child(const std::function<void()>& task, std::chrono::seconds patience) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) work_for(task, parent);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    if (std::chrono::steady_clock::now() >= deadline) kill(child, SIGKILL);
    std::this_thread::sleep_for(kBetweenPolls);
  }
  return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace syncsniff::isolation
