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

// What is known of the process that the thread is in.
struct ProcessView {
  RemoteMemory& memory;
  const trace::Board& board;
  PythonCodes& codes;
  ReturnAddresses& addresses;
  uint64_t python_thread = 0;              // address of the PyThreadState of one of its threads; 0: the board has one
  const MappedObjects* objects = nullptr;  // of a process that has no trace, which would name them
};

struct Look {
  bool has_called = false;  // the thread has made a CUDA call of which the place is known
  bool in_call = false;
  uint32_t call_stack = 0;  // in_call: of that call; else of the one before. 0: not known
  std::vector<uint64_t> native;
  std::vector<PythonFrame> python;
  bool is_after_call = false;  // native frames: those of the last call, in the code that follows it
};

class ThreadReader {
 public:
  ThreadReader(pid_t pid, uint32_t tid) : tid_(tid), state_file_(pid, tid) {}
  // False: nothing could be read, and the memory says why.
  bool look(ProcessView& view, TraceTail& trace, const trace::BoardThread& thread, Look& out);
  int read_state(const trace::Board& board, trace::HostState& state);

 private:
  struct Heads {  // words that change when the thread goes on
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
