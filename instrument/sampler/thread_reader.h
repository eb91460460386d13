// Determines where one thread is at one moment.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/sampler/host_state.h"
#include "instrument/sampler/last_call.h"
#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/python_frames.h"
#include "instrument/sampler/trace_tail.h"

namespace syncsniff::sampler {

// What is known of a thread's process.
struct ProcessView {
  RemoteMemory& memory;
  const trace::Board& board;
  PythonCodes& codes;
  ReturnAddresses& addresses;
  uint64_t python_thread = 0;              // address of one thread's PyThreadState; 0: it is on the board
  const MappedObjects* objects = nullptr;  // for a process without a trace, which would list them
};

struct Look {
  bool has_called = false;  // the thread has made a CUDA call whose place is known
  bool in_call = false;
  uint32_t call_stack = 0;  // stack of the call if in_call, otherwise of the call before; 0: not known
  std::vector<uint64_t> native;
  std::vector<PythonFrame> python;
  bool is_after_call = false;  // native frames are those of the last call: the thread is in the code that follows it
};

class ThreadReader {
 public:
  ThreadReader(pid_t pid, uint32_t tid) : tid_(tid), state_file_(pid, tid) {}
  // Returns false if nothing could be read; RemoteMemory::error() gives the reason.
  bool look(ProcessView& view, TraceTail& trace, const trace::BoardThread& thread, Look& out);
  int read_state(const trace::Board& board, trace::HostState& state);

 private:
  struct Heads {  // words that change when the thread continues
    uint64_t call = 0, place = 0, python = 0;
    bool operator==(const Heads&) const = default;
  };
  bool look_once(ProcessView& view, TraceTail& trace, const trace::BoardThread& thread, Look& out, PythonWalks& walks,
                 bool& is_still);
  static bool read_again(ProcessView& view, const trace::BoardThread& thread, uint64_t python_head, Heads& heads);

  uint32_t tid_;
  ThreadStateFile state_file_;
  Snapshot snapshot_;
};

}  // namespace syncsniff::sampler
