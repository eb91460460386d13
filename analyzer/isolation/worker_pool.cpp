#include "analyzer/isolation/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include "analyzer/isolation/worker.h"

namespace syncsniff::isolation {
namespace {

using Clock = std::chrono::steady_clock;
constexpr long long kTickMs = 250;

struct Worker {
  pid_t pid = -1;
  int tasks = -1, answers = -1;  // our ends of its pipes
  std::optional<size_t> task;    // the task that it runs
  Clock::time_point deadline;
};

std::string gigabytes(uint64_t bytes) {
  const uint64_t tenths = (bytes * 10 + (1 << 29)) >> 30;
  return std::to_string(tenths / 10) + (tenths % 10 ? "." + std::to_string(tenths % 10) : "") + " GB";
}

// The failure as a unit's status names it.
std::string failure_of(int status, const Limits& limits) {
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == kOutOfMemory
               ? "over " + gigabytes(limits.bytes)
               : "crashed (left with status " + std::to_string(WEXITSTATUS(status)) + ")";
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU) return "over " + std::to_string(limits.seconds) + " s";
  std::string name = strsignal(signal);
  if (!name.empty()) name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  if (signal == SIGKILL) name += ", out of memory perhaps";
  return "crashed (signal " + std::to_string(signal) + ", " + name + ")";
}

class Pool {
 public:
  Pool(size_t count, const Limits& limits, const std::function<std::string(size_t)>& task,
       const std::function<void(size_t)>& starts, const std::function<void(size_t, Outcome)>& done,
       const std::function<void()>& tick)
      : count_(count), limits_(limits), task_(task), starts_(starts), done_(done), tick_(tick) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (Worker& worker : workers_) {
      if (worker.pid < 0) continue;
      kill(worker.pid, SIGKILL);  // a worker that was stopped (SIGSTOP) would never see the end of its pipe
      retire(worker);
    }
  }

  void run(unsigned jobs) {
    workers_.resize(std::min<size_t>(std::max(1u, jobs), count_));
    while (next_ < count_ || busy_ > 0) {
      hand_out_tasks();
      wait_for_news();
    }
  }

 private:
  void hand_out_tasks() {
    for (size_t i = 0; i < workers_.size() && next_ < count_; ++i) {
      if (workers_[i].task) continue;
      try {
        hand_out(workers_[i]);
      } catch (const std::runtime_error&) {
        if (busy_ == 0) throw;
        return;  // a limit (ulimit -u, -n): continue with the workers that exist
      }
    }
  }

  void start(Worker& worker) {
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0) throw_errno("pipe");
    if (pipe2(up, O_CLOEXEC) != 0) {
      close(down[0]), close(down[1]);
      throw_errno("pipe");
    }
    const pid_t parent = getpid();
    worker.pid = fork();
    if (worker.pid == 0) {
      // The worker must not inherit the pipes of other workers: those would then never reach their end.
      for (const Worker& other : workers_)
        if (other.tasks >= 0) close(other.tasks), close(other.answers);
      close(down[1]), close(up[0]);
      work(down[0], up[1], parent, limits_, task_);
    }
    const int error = errno;
    close(down[0]), close(up[1]);
    worker.tasks = down[1], worker.answers = up[0];
    if (worker.pid > 0) return;
    close(worker.tasks), close(worker.answers);
    worker.tasks = worker.answers = -1;
    errno = error;
    throw_errno("fork");
  }

  [[noreturn]] static void throw_errno(const char* what) {
    throw std::runtime_error(std::string("a worker process cannot be started: ") + what + ": " + std::strerror(errno) +
                             "; close other programs or raise the limits (ulimit -u, ulimit -n)");
  }

  void hand_out(Worker& worker) {
    if (worker.pid < 0) start(worker);
    const uint64_t task = next_;
    // If it was killed between two tasks, another worker takes this task.
    if (!write_exactly(worker.tasks, &task, sizeof task)) {
      retire(worker);
      start(worker);
      if (!write_exactly(worker.tasks, &task, sizeof task)) throw_errno("write");
    }
    worker.task = next_++;
    ++busy_;
    worker.deadline = Clock::now() + std::chrono::seconds(limits_.clock_seconds);
    starts_(*worker.task);
  }

  void wait_for_news() {
    std::vector<pollfd> polled;
    auto first = Clock::time_point::max();
    for (const Worker& worker : workers_) {
      polled.push_back({worker.task ? worker.answers : -1, POLLIN, 0});
      if (worker.task) first = std::min(first, worker.deadline);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count() + 1;
    const long long most = tick_ ? kTickMs : 60'000;
    poll(polled.data(), polled.size(), static_cast<int>(std::max<long long>(0, std::min<long long>(left, most))));
    if (tick_) tick_();
    for (size_t i = 0; i < workers_.size(); ++i) {
      if (!workers_[i].task) continue;
      if (polled[i].revents != 0)
        take_answer(workers_[i]);
      else if (Clock::now() >= workers_[i].deadline)
        give_up(workers_[i]);
    }
  }

  enum class Read { kWhole, kCutOff, kTooLate };
  // Reads with a deadline, since a worker may be stopped in the middle of its answer.
  static Read read_until(const Worker& worker, void* to, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
      pollfd polled{worker.answers, POLLIN, 0};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(worker.deadline - Clock::now()).count();
      const int ready = poll(&polled, 1, static_cast<int>(std::clamp<long long>(left, 0, 60'000)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0 && left <= 0) return Read::kTooLate;
      if (ready <= 0) continue;
      const ssize_t count = read(worker.answers, static_cast<char*>(to) + done, bytes - done);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return Read::kCutOff;
      done += static_cast<size_t>(count);
    }
    return Read::kWhole;
  }

  void take_answer(Worker& worker) {
    Header header{};
    Outcome outcome;
    Read read = read_until(worker, &header, sizeof header);
    if (read == Read::kWhole && header.task != *worker.task) read = Read::kCutOff;
    if (read == Read::kWhole) {
      outcome.answer.resize(header.bytes);
      read = read_until(worker, outcome.answer.data(), header.bytes);
    }
    if (read == Read::kTooLate) return give_up(worker);
    if (read == Read::kCutOff) {
      outcome.answer.clear();
      outcome.failure = failure_of(retire(worker), limits_);
    } else if (header.leaves) {
      retire(worker);
    }
    finish(worker, std::move(outcome));
  }

  void give_up(Worker& worker) {
    kill(worker.pid, SIGKILL);
    retire(worker);
    finish(worker, {"", "over " + std::to_string(limits_.clock_seconds) + " s by the clock"});
  }

  void finish(Worker& worker, Outcome outcome) {
    const size_t task = *worker.task;
    worker.task.reset();
    --busy_;
    done_(task, std::move(outcome));
  }

  // Closes the pipes and waits for the process; returns its exit status.
  int retire(Worker& worker) {
    close(worker.tasks), close(worker.answers);
    int status = 0;
    while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
    }
    worker.pid = -1;
    worker.tasks = worker.answers = -1;
    return status;
  }

  const size_t count_;
  const Limits limits_;
  const std::function<std::string(size_t)>& task_;
  const std::function<void(size_t)>& starts_;
  const std::function<void(size_t, Outcome)>& done_;
  const std::function<void()>& tick_;
  std::vector<Worker> workers_;
  size_t next_ = 0, busy_ = 0;
};

// A worker may have died when its pipe is written to, which must not raise SIGPIPE.
class PipesMayBreak {
 public:
  PipesMayBreak() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~PipesMayBreak() { std::signal(SIGPIPE, before_); }
  PipesMayBreak(const PipesMayBreak&) = delete;
  PipesMayBreak& operator=(const PipesMayBreak&) = delete;

 private:
  void (*const before_)(int);
};

}  // namespace

void run_isolated(size_t count, unsigned jobs, const Limits& limits, const std::function<std::string(size_t)>& task,
                  const std::function<void(size_t)>& starts, const std::function<void(size_t, Outcome)>& done,
                  const std::function<void()>& tick) {
  if (count == 0) return;
  const PipesMayBreak pipes_may_break;
  Pool(count, limits, task, starts, done, tick).run(jobs);
}

}  // namespace syncsniff::isolation
