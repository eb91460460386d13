// Samples the processes of one run from outside, in a thread of the launcher: the places of their recording threads
// while these are in no CUDA call. The processes are never stopped, signalled or written to.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "instrument/sampler/process_sampler.h"

namespace syncsniff::sampler {

struct SamplerCost {
  uint64_t samples = 0, rounds = 0;
  uint64_t processor_ns = 0, open_ns = 0;  // open_ns: how long any process had a window open
};

class Sampler {
 public:
  // `folder`: where the traces of the run appear.
  explicit Sampler(std::string folder) : folder_(std::move(folder)) {}
  ~Sampler() { stop(); }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  void start();  // does nothing if no thread can be created (ulimit -u)
  // To be called when the run has ended.
  void stop();
  // Appends the samples of its process to a trace, which may have been moved. To be called after stop().
  void append_to(const std::string& trace);
  const SamplerCost& cost() const { return cost_; }

 private:
  static void* enter(void* self);
  void wake_and_join();
  void work();
  void find_processes();
  bool sample_open_ones();
  void keep_bounded();
  void pause(std::unique_lock<std::mutex>& lock, bool any_open);
  const ProcessSampler* only_one_that_may_open() const;
  uint64_t pause_ns(bool any_open);

  const std::string folder_;
  pthread_t thread_{};
  bool is_running_ = false, must_stop_ = false;
  std::mutex mutex_;
  std::condition_variable stopping_;
  const ProcessSampler* awaited_ = nullptr;  // process whose next window is waited for; nullptr: none
  std::set<std::string> known_;              // paths of traces
  std::vector<std::unique_ptr<ProcessSampler>> processes_;
  RunProcesses run_;
  uint64_t interval_ns_ = 1'000'000, found_ns_ = 0, random_ = 1;
  SamplerCost cost_;
};

}  // namespace syncsniff::sampler
