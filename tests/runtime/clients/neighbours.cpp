#include "tests/runtime/clients/neighbours.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

std::string open_descriptors() {
  std::set<int> open;
  DIR* folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder)) open.insert(std::atoi(entry->d_name));
  closedir(folder);
  std::string text;
  for (const int descriptor : open) {
    char target[256] = {};
    if (readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), target, sizeof(target) - 1) < 0) continue;
    text += std::to_string(descriptor) + " " + target + ";";
  }
  return text;
}

std::string signal_state() {
  std::string text;
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < 32; ++signal) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    text += std::to_string(sigismember(&blocked, signal)) + " " + std::to_string(action.sa_flags) + " " +
            std::to_string(reinterpret_cast<uintptr_t>(action.sa_handler)) + ";";
  }
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  return text + std::to_string(reinterpret_cast<uintptr_t>(stack.ss_sp));
}

std::string limits() {
  std::string text;
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    text += std::to_string(limit.rlim_cur) + "/" + std::to_string(limit.rlim_max) + ";";
  }
  return text;
}

std::map<std::string, std::string> state() {
  std::map<std::string, std::string> all;
  all["descriptors"] = open_descriptors();
  all["signals"] = signal_state();
  all["limits"] = limits();
  for (char** entry = environ; *entry != nullptr; ++entry) all["environment"] += std::string(*entry) + ";";
  all["locale"] = setlocale(LC_ALL, nullptr);
  const mode_t mask = umask(0);
  umask(mask);
  all["umask"] = std::to_string(mask);
  char folder[512] = {};
  all["folder"] = getcwd(folder, sizeof(folder)) != nullptr ? folder : "";
  itimerval timer{};
  getitimer(ITIMER_REAL, &timer);
  all["timer"] = std::to_string(timer.it_interval.tv_usec);
  return all;
}

const Session* g_neighbours_session = nullptr;
int g_handled = 0;
void wait_in_handler(int) {
  CHECK_CU(g_neighbours_session->cu.cuStreamSynchronize(g_neighbours_session->stream));
  ++g_handled;
}

}  // namespace

void process_state(const Driver& driver) {
  umask(0);
  setlocale(LC_ALL, "C");
  const auto before = state();
  Session s(driver);
  wait_often(s, 20000);
  const auto after = state();
  int changed = 0;
  for (const auto& [name, value] : before) {
    if (after.at(name) == value) continue;
    ++changed;
    std::fprintf(stderr, "%s: %s became %s\n", name.c_str(), value.c_str(), after.at(name).c_str());
  }
  std::printf("changed %d\n", changed);
}

// As fork() does it, but no fork handler runs. The child, which may not use CUDA, does.
void raw_clone(const Driver& driver) {
  Session s(driver);
  for (int i = 0; i < 100; ++i) s.launch(s.stream);
  wait_often(s, 10);
  const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) {
    for (int i = 0; i < 1000; ++i) s.launch(s.stream);
    wait_often(s, 100);
    syscall(SYS_exit_group, 0);
  }
  for (int i = 0; i < 100; ++i) s.launch(s.stream);
  int status = 0;
  waitpid(static_cast<pid_t>(child), &status, 0);
  wait_often(s, 10);
  std::printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// Twice, each time with CUDA in use; the third image ends.
void executes_itself(const Driver& driver) {
  Session s(driver);
  const char* turn = std::getenv("CLIENT_TURN");
  const int turns = turn != nullptr ? std::atoi(turn) : 0;
  wait_often(s, 10 + turns);
  if (turns == 2) return;
  setenv("CLIENT_TURN", std::to_string(turns + 1).c_str(), 1);
  execl("/proc/self/exe", "client", "proc", "executes_itself", static_cast<char*>(nullptr));
  fail("exec");
}

// A profiler's signal every ms, in whose handler the program waits.
void handler_waits(const Driver& driver) {
  Session s(driver);
  g_neighbours_session = &s;
  struct sigaction action{};
  action.sa_handler = wait_in_handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 1000}, {0, 1000}}, never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  int waits = 0;
  for (const auto start = Clock::now(); ms_since(start) < 300; ++waits) {
    s.launch(s.stream);
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  std::printf("waits %d\nhandled %d\n", waits, g_handled);
}

// Whatever lies behind the first chunk is gone: no store into it may come.
void cuts_the_trace(const Driver& driver) {
  Session s(driver);
  wait_often(s, 1);
  if (truncate(std::getenv("SYNCSNIFF_TRACE"), 4096 + 65536) != 0) fail("truncate");
  wait_often(s, 40000);
}

// Each mapping is filled and locked from then on.
void locks_its_memory(const Driver& driver) {
  if (mlockall(MCL_FUTURE) != 0) fail("mlockall");
  Session s(driver);
  wait_often(s, 1000);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("resident_mb %ld\n", usage.ru_maxrss >> 10);
}

}  // namespace client
