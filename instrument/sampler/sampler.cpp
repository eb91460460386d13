#include "instrument/sampler/sampler.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>

#include "instrument/reader/append_chunks.h"
#include "instrument/reader/file_header.h"
#include "instrument/sampler/clock.h"

namespace syncsniff::sampler {
namespace {

// Interval between two searches for new processes, and while no process may have a window; once there is one, its
// other ranks are searched for less often: no window opens in the first 0.1 s of their launches.
constexpr uint64_t kFindProcessesNs = 20'000'000, kFindMoreProcessesNs = 100'000'000;
// Interval at which to check whether one of several processes has opened a window: a thirtieth of the shortest window,
// 60 ms, is missed on average. For a single process the sampler waits for the window instead: 250 wake-ups a second
// took a hundredth of a processor from the program.
constexpr uint64_t kClosedNs = 4'000'000;
// Samples of 32 bytes. Enough for 20 minutes of one thread in windows, which are open for at most a sixth of the time,
// or 3 minutes of a full timeline.
constexpr size_t kMostSamples = 200'000;
// The default would be the program's `ulimit -s`, which may be 64 KiB or unlimited.
constexpr size_t kStackBytes = 512 << 10;
constexpr size_t kMostProcesses = 256;

// If all processors are busy, a computing thread must not be sampled less often than a sleeping one: with a short time
// slice this thread runs at once (Linux 6.12; older kernels refuse the request without harm).
void ask_for_short_turns() {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
  } attributes{};
  attributes.size = sizeof attributes;
  attributes.runtime_ns = 100'000;  // the minimum
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace

void Sampler::start() {
  // Signals are blocked here, since the launcher's first thread forwards those that it gets.
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  is_running_ = pthread_create(&thread_, &attributes, enter, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

void Sampler::stop() {
  if (!is_running_) return;
  {
    const std::lock_guard lock(mutex_);
    must_stop_ = true;
  }
  stopping_.notify_all();
  wake_and_join();
  is_running_ = false;
  for (const auto& process : processes_) process->stop();
}

// Wakes the thread repeatedly, since a wake-up that comes before the thread sleeps is lost.
void Sampler::wake_and_join() {
  constexpr long kAgainNs = 1'000'000, kSecondNs = 1'000'000'000;
  timespec until;
  do {
    {
      const std::lock_guard lock(mutex_);
      if (awaited_ != nullptr) awaited_->wake();
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += kAgainNs;
    until.tv_sec += until.tv_nsec / kSecondNs;
    until.tv_nsec %= kSecondNs;
  } while (pthread_timedjoin_np(thread_, nullptr, &until) == ETIMEDOUT);
}

void* Sampler::enter(void* self) {
  try {
    static_cast<Sampler*>(self)->work();
  } catch (const std::exception&) {  // out of memory: the samples so far are kept
  }
  return nullptr;
}

void Sampler::work() {
  ask_for_short_turns();
  std::unique_lock lock(mutex_);
  for (uint64_t before_ns = monotonic_ns(); !must_stop_; ++cost_.rounds) {
    lock.unlock();
    if (monotonic_ns() - found_ns_ > (processes_.empty() ? kFindProcessesNs : kFindMoreProcessesNs)) find_processes();
    const bool any_open = sample_open_ones();
    const uint64_t now_ns = monotonic_ns();
    if (any_open) cost_.open_ns += now_ns - before_ns;
    before_ns = now_ns;
    keep_bounded();
    lock.lock();
    pause(lock, any_open);
  }
  cost_.processor_ns = thread_cpu_ns();
}

void Sampler::pause(std::unique_lock<std::mutex>& lock, bool any_open) {
  awaited_ = any_open || must_stop_ ? nullptr : only_one_that_may_open();
  if (awaited_ != nullptr) {
    lock.unlock();
    const bool has_waited = awaited_->wait_for_window(kFindMoreProcessesNs);
    lock.lock();
    awaited_ = nullptr;
    if (has_waited) return;
  }
  stopping_.wait_for(lock, std::chrono::nanoseconds(pause_ns(any_open)), [this] { return must_stop_; });
}

const ProcessSampler* Sampler::only_one_that_may_open() const {
  const ProcessSampler* found = nullptr;
  for (const auto& process : processes_) {
    if (!process->may_open()) continue;
    if (found != nullptr) return nullptr;
    found = process.get();
  }
  return found;
}

void Sampler::find_processes() {
  found_ns_ = monotonic_ns();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string path = entry.path().string();
    if (known_.count(path) != 0 || processes_.size() == kMostProcesses) continue;
    auto process = ProcessSampler::of_trace(path);
    if (process == nullptr) continue;
    known_.insert(path);
    run_.traced.insert(static_cast<pid_t>(process->pid()));
    processes_.push_back(std::move(process));
  }
}

bool Sampler::sample_open_ones() {
  bool any_open = false;
  for (const auto& process : processes_) {
    if (!process->is_open()) continue;
    any_open = true;
    process->sample(run_);
  }
  return any_open;
}

void Sampler::keep_bounded() {
  cost_.samples = 0;
  for (const auto& process : processes_) cost_.samples += process->store().size();
  if (cost_.samples < kMostSamples) return;
  interval_ns_ *= 2;
  for (const auto& process : processes_) {
    process->store().thin();
    process->store().add_note("there were more than " + std::to_string(kMostSamples) +
                              " samples of where the host was: they were thinned as the run went on");
  }
}

// The interval is random: otherwise a program with a period of 1 ms would always be sampled at the same place.
uint64_t Sampler::pause_ns(bool any_open) {
  bool may_open = false;
  for (const auto& process : processes_) may_open = may_open || process->may_open();
  if (!any_open) return may_open ? kClosedNs : kFindProcessesNs;
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  return interval_ns_ / 2 + (random_ >> 33) % interval_ns_;
}

void Sampler::append_to(const std::string& trace) {
  const auto header = reader::read_file_header(trace);
  if (!header) return;
  for (const auto& process : processes_) {
    if (process->pid() != header->pid || process->start_ns() != header->start_monotonic_ns) continue;
    if (process->store().is_empty()) return;
    const reader::LargestIds ids = reader::largest_ids(trace);
    reader::append_chunks(trace, reader::kSampleTid, process->as_records(ids.stack + 1, ids.code + 1));
    return;
  }
}

}  // namespace syncsniff::sampler
