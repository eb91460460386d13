// Walks a thread's Python frames from outside the process.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/sampler/python_codes.h"
#include "instrument/sampler/remote_memory.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

struct PythonFrame {
  uint64_t frame = 0;        // its address
  uint32_t code = 0;         // number in PythonCodeTable
  uint32_t instruction = 0;  // bytes from the start of the code
  bool is_same(const PythonFrame& other) const { return frame == other.frame && code == other.code; }
};

struct PythonChain {
  uint64_t head_address = 0, head = 0;  // address and content of the word that points to the innermost frame
  std::vector<PythonFrame> frames;      // innermost first
  // true: the walk reached the thread's outermost frame. false: part of it could not be read, or it ended at the frame
  // of a generator that had just been left.
  bool is_whole = true;
};

// Follows the list of PyThreadState in both directions from `thread`; returns their addresses by thread id, at most
// 256.
std::unordered_map<uint32_t, uint64_t> python_threads(RemoteMemory& memory, const trace::PythonLayout& layout,
                                                      uint64_t thread);

// Returns no frames if the PyThreadState at `thread` does not belong to the thread `tid`.
PythonChain walk_python(Snapshot& memory, const trace::PythonLayout& layout, uint64_t thread, uint32_t tid,
                        PythonCodes& codes);

// The outer frames that two walks have in common, as the later walk read them: if the thread called and returned in
// between, it was in these frames all the time.
std::vector<PythonFrame> common_outer(const std::vector<PythonFrame>& earlier, const std::vector<PythonFrame>& later);

// Combines several walks of one Python thread into a sample. A thread that calls and returns all the time changes
// during most walks; walks that did not reach the outermost frame are not used.
class PythonWalks {
 public:
  void add(PythonChain chain);
  // The frames that the last two complete walks have in common; of a single complete walk, all. At most as many as the
  // shim records, from the innermost on.
  std::vector<PythonFrame> frames() const;

 private:
  std::vector<PythonFrame> before_, last_;
  int whole_ = 0;
};

}  // namespace syncsniff::sampler
