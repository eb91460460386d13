// One process of the run: whether it is to be sampled now, and the samples of its threads.
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
  // The process that writes the trace at `path`; nullptr: that is none, or its process has no board, or not yet.
  static std::unique_ptr<ProcessSampler> of_trace(const std::string& path);

  bool has_ended() const { return has_ended_; }
  bool may_open() const { return !has_ended_ && header_.mode() != trace::TimelineMode::kOff; }
  // Is a window of its timeline open? (With a full timeline, always.)
  bool is_open() const;
  void sample(RunProcesses& run);
  // While none is open: sleeps until one opens, wake() is called by another thread, or so much time has passed. False:
  // it cannot wait.
  bool wait_for_window(uint64_t at_most_ns) const;
  void wake() const { trace_.wake_waiter(); }
  void stop() { end(0); }  // holds no descriptor any more

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
  // What it does outside of CUDA; inside, it runs. kUnknown: it has made no call, or is not there any more.
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
