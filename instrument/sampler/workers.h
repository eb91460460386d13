// Samples the processes that a traced one has started: a loader's workers, actors, a decoder at the other end of a
// pipe. While the traced process waits, one of them may do what it waits for.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_set>

#include "instrument/sampler/process_table.h"
#include "instrument/sampler/traced_interpreter.h"
#include "instrument/sampler/worker_process.h"

namespace syncsniff::sampler {

// The processes of the run, and which of them have a trace of their own.
struct RunProcesses {
  ProcessTable table;
  std::unordered_set<pid_t> traced;
};

class Workers {
 public:
  explicit Workers(pid_t pid) : pid_(pid) {}
  // `board`, `memory`: of the process that started them; the board's address must not change.
  void sample(RunProcesses& run, RemoteMemory& memory, const trace::Board& board, PythonCodeTable& codes,
              SampleStore& store);
  void forget();  // closes all descriptors

 private:
  void find(RunProcesses& run, RemoteMemory& memory, const trace::Board& board, PythonCodeTable& codes,
            SampleStore& store);

  const pid_t pid_;
  TracedInterpreter interpreter_;
  std::map<pid_t, std::unique_ptr<WorkerProcess>> processes_;
  uint64_t looks_ = 0;
  pid_t last_ = 0;  // the process that was sampled last
};

}  // namespace syncsniff::sampler
