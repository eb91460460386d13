// Finds the threads of Python in processes that run the same interpreter as the traced one: forked ones and new ones.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/remote_memory.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

// No table of versions says where the interpreter keeps the list of its threads: the traced process has a thread that
// is known, and so has the places that name it. In another process the same places name a thread of its own.
class TracedInterpreter {
 public:
  // Nothing is learned where the process runs none that is known, or its threads cannot be read now.
  void learn(pid_t pid, RemoteMemory& memory, const trace::Board& board);
  bool is_known() const { return !path_.empty(); }
  // The address of the PyThreadState of one thread; 0: the process runs another interpreter, or none yet. `board`: of
  // the traced process; the interpreter's addresses become those of this one.
  uint64_t find_thread(RemoteMemory& memory, const MappedObjects& objects, trace::Board& board) const;

 private:
  std::string path_;                  // of the object that holds the interpreter's data; empty: not learned
  uint64_t begin_ = 0;                // of that object, in the traced process
  uint64_t interpreter_at_ = 0;       // where its data has the address of the PyInterpreterState
  std::vector<uint64_t> threads_at_;  // where that has the address of a PyThreadState
};

}  // namespace syncsniff::sampler
