// Samples the threads of one process that make no CUDA calls, while all threads that make them wait. The process is the
// traced one or one that it started. One of its threads may do the work that is waited for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "instrument/sampler/host_state.h"
#include "instrument/sampler/outer_frames.h"
#include "instrument/sampler/python_frames.h"
#include "instrument/sampler/sample_store.h"
#include "instrument/sampler/thread_reader.h"
#include "instrument/sampler/unwind_table.h"

namespace syncsniff::sampler {

class OtherThreads {
 public:
  OtherThreads(pid_t pid, RemoteMemory& memory, const Objects& objects);
  ~OtherThreads();
  // Samples all threads but those on the board and those that wait for a thread or for data from a pipe.
  void sample(ProcessView& view, SampleStore& store);
  void forget();  // closes all descriptors

 private:
  struct Thread;
  void find(const ProcessView& view);
  void sample_one(ProcessView& view, uint32_t tid, Thread& thread, SampleStore& store);
  uint64_t python_thread(const trace::Board& board, uint32_t tid, Thread& thread);
  SampledStack stack_of(ProcessView& view, uint32_t tid, Thread& thread);
  uint64_t top_of_stack(uint32_t tid) const;
  bool waits_for_other(const Thread& thread, trace::HostState state);
  bool is_pipe(uint64_t descriptor) const;

  const pid_t pid_;
  const std::string folder_;  // its task folder in /proc
  RemoteMemory& memory_;
  UnwindTable table_;
  std::unordered_map<uint32_t, std::unique_ptr<Thread>> threads_;  // by tid
  std::unordered_map<uint32_t, uint64_t> python_;                  // address of its PyThreadState, by tid
  uint64_t found_ns_ = 0, links_ = 0;                              // links_: link count of the folder
};

}  // namespace syncsniff::sampler
