// A thread's Python frames, walked from outside.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/sampler/python_codes.h"
#include "instrument/sampler/remote_memory.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

struct PythonFrame {
  uint64_t frame = 0;        // its address
  uint32_t code = 0;         // number in PythonCodes
  uint32_t instruction = 0;  // bytes from the start of the code
  bool is_same(const PythonFrame& other) const { return frame == other.frame && code == other.code; }
};

struct PythonChain {
  uint64_t head_address = 0, head = 0;  // the word that names the innermost frame, and what it held
  std::vector<PythonFrame> frames;      // innermost first
  // It reaches the thread's outermost frame. False: part of it could not be read, or it ends at a generator's frame,
  // which has just been left.
  bool is_whole = true;
};

// Empty where `thread`, the address of a PyThreadState, is not the one of the thread that has this id.
PythonChain walk_python(Snapshot& memory, const trace::PythonLayout& layout, uint64_t thread, uint32_t tid,
                        PythonCodes& codes);

// The outer frames that two walks have in common, as the later one saw them: a thread that was calling and returning
// meanwhile was in these all the time.
std::vector<PythonFrame> common_outer(const std::vector<PythonFrame>& earlier, const std::vector<PythonFrame>& later);

// What one sample tells of a Python thread, from several walks in turn. A thread that calls and returns all the time is
// rarely still for as long as one takes; walks that did not reach the outermost frame say nothing.
class PythonWalks {
 public:
  void add(PythonChain chain);
  // The innermost frames that the last two whole walks agree on, of one alone all of them: at most as many as the
  // shim records.
  std::vector<PythonFrame> frames() const;

 private:
  std::vector<PythonFrame> before_, last_;
  int whole_ = 0;
};

}  // namespace syncsniff::sampler
