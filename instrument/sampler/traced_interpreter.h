// Finds the Python threads of processes, forked or new, that run the same interpreter as the traced process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/remote_memory.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

// There is no table of where each version keeps its list of threads. Instead, learn() searches the traced process for
// the places that contain the address of a known thread; in another process the same places contain the address of one
// of its threads.
class TracedInterpreter {
 public:
  // Learns nothing if the process runs no known interpreter, or its threads cannot be read now.
  void learn(pid_t pid, RemoteMemory& memory, const trace::Board& board);
  bool is_known() const { return !path_.empty(); }
  // The address of one thread's PyThreadState; 0: the process runs another interpreter, or none yet. `board`: a copy of
  // the traced process's, whose addresses of the interpreter are changed to this process's.
  uint64_t find_thread(RemoteMemory& memory, const MappedObjects& objects, trace::Board& board) const;

 private:
  std::string path_;                  // path of the object that contains the interpreter's data; empty: not learned
  uint64_t begin_ = 0;                // start address of that object in the traced process
  uint64_t interpreter_at_ = 0;       // offset in its data of the address of the PyInterpreterState
  std::vector<uint64_t> threads_at_;  // offsets in PyInterpreterState of addresses of a PyThreadState
};

}  // namespace syncsniff::sampler
