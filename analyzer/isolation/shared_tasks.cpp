#include "analyzer/isolation/shared_tasks.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "analyzer/isolation/shared_memory.h"
#include "analyzer/isolation/worker.h"

namespace syncsniff::isolation {
namespace {

struct Fork {
  pid_t pid = -1;
  int answers = -1;  // our end of its pipe
};

// Written before the result of each task, and once more at the end.
struct Mark {
  uint64_t task;  // the number of tasks at the end
  uint64_t bytes;
};

class Sharing {
 public:
  Sharing(size_t count, const SharedTasks& tasks)
      : count_(count), tasks_(tasks), next_(*share<std::atomic<size_t>>(1)), done_(count) {}
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;
  ~Sharing() { unshare(&next_, 1); }

  void run(unsigned processes) {
    for (size_t i = 1; i < processes && i < count_; ++i) start();
    for (const size_t task : run_what_is_left()) done_[task] = true;
    for (const Fork& fork : forks_) collect(fork);
    tasks_.waited();
    for (size_t task = 0; task < count_; ++task)
      if (!done_[task]) tasks_.run(task);
  }

 private:
  void start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) work(ends[1], parent);
    close(ends[1]);
    if (pid < 0)
      close(ends[0]);  // a limit (ulimit -u): the processes that exist do the work
    else
      forks_.push_back({pid, ends[0]});
  }

  std::vector<size_t> run_what_is_left() {
    std::vector<size_t> done;
    for (size_t task; (task = next_++) < count_; done.push_back(task)) tasks_.run(task);
    return done;
  }

  [[noreturn]] void work(int answers, pid_t parent) noexcept {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    std::string all;
    for (const size_t task : run_what_is_left()) {
      const std::string made = tasks_.pack(task);
      const Mark mark{task, made.size()};
      all.append(reinterpret_cast<const char*>(&mark), sizeof mark).append(made);
    }
    const Mark end{count_, 0};
    all.append(reinterpret_cast<const char*>(&end), sizeof end);
    write_exactly(answers, all.data(), all.size());
    _exit(0);  // runs no destructor: objects shared with the parent belong to the parent
  }

  static std::string read_all(int from) {
    constexpr size_t kBytes = 1 << 20;
    std::string all;
    for (;;) {
      const size_t size = all.size();
      all.resize(size + kBytes);
      ssize_t count;
      while ((count = read(from, all.data() + size, kBytes)) < 0 && errno == EINTR) {
      }
      all.resize(size + static_cast<size_t>(count > 0 ? count : 0));
      if (count <= 0) return all;
    }
  }

  // A result that was cut off is ignored.
  void collect(const Fork& fork) {
    const std::string all = read_all(fork.answers);
    close(fork.answers);
    while (waitpid(fork.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    std::vector<std::pair<size_t, std::string_view>> made;
    std::string_view rest = all;
    for (Mark mark{}; rest.size() >= sizeof mark;) {
      std::memcpy(&mark, rest.data(), sizeof mark);
      rest.remove_prefix(sizeof mark);
      if (mark.task == count_) {
        for (const auto& [task, bytes] : made) tasks_.take(task, bytes), done_[task] = true;
        return;
      }
      if (mark.bytes > rest.size()) return;
      made.emplace_back(mark.task, rest.substr(0, mark.bytes));
      rest.remove_prefix(mark.bytes);
    }
  }

  const size_t count_;
  const SharedTasks& tasks_;
  std::atomic<size_t>& next_;  // in memory that all share
  std::vector<bool> done_;
  std::vector<Fork> forks_;
};

}  // namespace

void share_tasks(size_t count, unsigned processes, const SharedTasks& tasks) { Sharing(count, tasks).run(processes); }

}  // namespace syncsniff::isolation
