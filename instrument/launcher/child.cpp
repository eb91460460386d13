#include "instrument/launcher/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "instrument/launcher/group_witness.h"
#include "instrument/launcher/preflight.h"

namespace syncsniff::launcher {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

volatile sig_atomic_t child_pid = 0;
const GroupWitness* group_witness = nullptr;

// True if the program has got the signal itself, since it was sent to the whole process group: by the terminal, or by
// kill(2) with a group.
bool program_has_it(int signal, const siginfo_t& info) {
  if (info.si_code == SI_KERNEL || info.si_pid == child_pid) return true;
  if (info.si_code != SI_USER || getpgid(child_pid) != getpgrp()) return false;
  return group_witness->saw(signal, info.si_pid);
}

void forward(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  if (child_pid > 0 && !program_has_it(signal, *info)) kill(child_pid, signal);
  errno = saved;
}

// Installs the forwarding handlers; the destructor restores the old ones.
class SignalForwarding {
 public:
  explicit SignalForwarding(const GroupWitness& witness) {
    group_witness = &witness;
    struct sigaction action{};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (int signal : kForwarded) sigaddset(&action.sa_mask, signal);
    for (size_t i = 0; i < std::size(kForwarded); ++i) {
      sigaction(kForwarded[i], nullptr, &old_[i]);
      // A signal that was ignored stays ignored, for the launcher and for the program: nohup relies on this.
      if (old_[i].sa_handler != SIG_IGN) sigaction(kForwarded[i], &action, nullptr);
    }
  }
  ~SignalForwarding() {
    for (size_t i = 0; i < std::size(kForwarded); ++i) sigaction(kForwarded[i], &old_[i], nullptr);
  }
  SignalForwarding(const SignalForwarding&) = delete;
  SignalForwarding& operator=(const SignalForwarding&) = delete;

 private:
  struct sigaction old_[std::size(kForwarded)];
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

ChildEnd wait_for(pid_t pid) {
  ChildEnd end;
  end.pid = pid;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child_pid = 0;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
    end.exit_status = 128 + end.signal;
  } else {
    end.exit_status = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace

ChildEnd run_child(const std::string& path, const std::vector<std::string>& command,
                   const std::vector<std::string>& environment, const std::function<void()>& started) {
  int failure[2];  // for the errno of exec; if exec succeeds, its end in the program is closed
  if (pipe2(failure, O_CLOEXEC) != 0) throw LaunchError(std::string("cannot start anything: ") + std::strerror(errno));
  auto arguments = pointers(command), variables = pointers(environment);
  // Signals are blocked until the handlers know the process to forward them to.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  const GroupWitness witness;
  const SignalForwarding forwarding(witness);
  // If a parent ignores SIGCHLD, the kernel discards exit statuses; so the launcher sets it to default, but the program
  // inherits the parent's setting.
  struct sigaction reap{}, inherited{};
  reap.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &reap, &inherited);
  const pid_t pid = fork();
  if (pid == 0) {
    sigaction(SIGCHLD, &inherited, nullptr);
    for (int signal : kForwarded) {
      struct sigaction current{};
      sigaction(signal, nullptr, &current);
      if (current.sa_handler != SIG_IGN) ::signal(signal, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execvpe(path.c_str(), arguments.data(), variables.data());
    const int error = errno;
    [[maybe_unused]] ssize_t written = write(failure[1], &error, sizeof error);
    _exit(127);
  }
  const int fork_error = errno;
  child_pid = pid;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(failure[1]);
  if (pid < 0) {
    close(failure[0]);
    throw LaunchError(path + ": cannot be started: " + std::strerror(fork_error));
  }
  int error = 0;
  ssize_t got;
  while ((got = read(failure[0], &error, sizeof error)) < 0 && errno == EINTR) {
  }
  close(failure[0]);
  if (got != sizeof error) started();
  const ChildEnd end = wait_for(pid);
  if (got == sizeof error)
    throw LaunchError(path + ": cannot be started: " + std::strerror(error) + "; check the file");
  return end;
}

}  // namespace syncsniff::launcher
