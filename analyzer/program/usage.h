// What a program uses of CUDA at all, wherever that stands: checks that ask nothing else of it can stop at once.
#pragma once

#include <vector>

#include "analyzer/program/flows.h"

namespace syncsniff::program {

struct Usage {
  bool cuda_tensors = false;
  bool managed_memory = false;             // memory that host and device share is made somewhere
  bool only_legacy_stream = true;          // nobody makes, is given or names a stream: all work is on the legacy one
  bool per_thread_default_stream = false;  // some unit is compiled with a default stream for each thread
  bool unread = false;                     // some unit could not be read whole
};

// `beside_cuda`: other units of the project put tensors on the GPU.
Usage usage_of(const std::vector<const facts::UnitFacts*>& units, const Code& code, const Flows& flows,
               bool beside_cuda);

}  // namespace syncsniff::program
