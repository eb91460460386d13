// Samples the threads of a process that the traced one has started and that makes no CUDA calls.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/other_threads.h"
#include "instrument/sampler/python_codes.h"
#include "instrument/sampler/remote_memory.h"
#include "instrument/sampler/sample_store.h"
#include "instrument/sampler/traced_interpreter.h"

namespace syncsniff::sampler {

class WorkerProcess {
 public:
  // `traced`: the board of the process that started it.
  WorkerProcess(pid_t pid, const trace::Board& traced, const TracedInterpreter& interpreter, PythonCodeTable& table);
  ~WorkerProcess();
  void sample(SampleStore& store);

 private:
  struct Image;
  void look_again(uint64_t now_ns);

  const pid_t pid_;
  const trace::Board& traced_;
  const TracedInterpreter& interpreter_;
  PythonCodeTable& table_;
  RemoteMemory memory_;
  std::unique_ptr<Image> image_;
  uint64_t looked_ns_ = 0, look_again_after_ns_ = 0;
};

}  // namespace syncsniff::sampler
