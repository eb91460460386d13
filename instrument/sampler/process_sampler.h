// One process of the run: decides whether it must be sampled now, and holds the samples of its threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "instrument/sampler/other_threads.h"
#include "instrument/sampler/sample_store.h"
#include "instrument/sampler/thread_reader.h"
#include "instrument/sampler/workers.h"

namespace syncsniff::sampler {

class ProcessSampler {
 public:
  // For the process that writes the trace at `path`; nullptr: that is no trace, or its process has no board, or none
  // yet.
  static std::unique_ptr<ProcessSampler> of_trace(const std::string& path);

  bool has_ended() const { return has_ended_; }
  bool may_open() const { return !has_ended_ && header_.mode() != trace::TimelineMode::kOff; }
  // True if a window of its timeline is open; with a full timeline, always.
  bool is_open() const;
  void sample(RunProcesses& run);
  // While no window is open: sleeps until one opens, another thread calls wake(), or `at_most_ns` have passed. Returns
  // false if it cannot wait.
  bool wait_for_window(uint64_t at_most_ns) const;
  void wake() const { trace_.wake_waiter(); }
  void stop() { end(0); }  // closes all descriptors

  uint32_t pid() const { return header_.pid; }
  uint64_t start_ns() const { return header_.start_monotonic_ns; }
  SampleStore& store() { return store_; }
  std::string as_records(uint32_t first_stack, uint32_t first_code) const {
    return store_.as_records(code_table_.all(), board_.python.version, first_stack, first_code);
  }

 private:
  ProcessSampler(const std::string& path, const trace::FileHeader& header)
      : trace_(path),
        header_(header),
        memory_(static_cast<pid_t>(header.pid)),
        workers_(static_cast<pid_t>(header.pid)) {}
  bool read_board();
  ProcessView view() { return {memory_, board_, codes_, addresses_}; }
  void forget_ended_threads();
  void end(int error);
  // Samples a thread. Returns what it does outside of CUDA; inside, kRunning. kUnknown: it has made no call, or has
  // ended.
  trace::HostState sample_thread(const trace::BoardThread& thread);
  StackName stack_of(const Look& look);

  TraceTail trace_;
  trace::FileHeader header_;
  RemoteMemory memory_;
  trace::Board board_{};
  PythonCodeTable code_table_;
  PythonCodes codes_{memory_, board_, code_table_};
  ReturnAddresses addresses_{memory_, trace_};
  std::unordered_map<uint32_t, std::unique_ptr<ThreadReader>> threads_;  // by tid
  OtherThreads others_{static_cast<pid_t>(header_.pid), memory_, trace_};
  Workers workers_;
  SampleStore store_;
  uint64_t board_read_ns_ = 0;
  bool has_ended_ = false;
};

}  // namespace syncsniff::sampler
