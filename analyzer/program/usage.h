// Which parts of CUDA a program uses anywhere. A check for a part that is not used can return at once.
#pragma once

#include <vector>

#include "analyzer/program/flows.h"

namespace syncsniff::program {

struct Usage {
  bool cuda_tensors = false;
  bool managed_memory = false;             // managed memory is allocated somewhere
  bool only_legacy_stream = true;          // no stream is created, passed or named, so all work is on the legacy stream
  bool per_thread_default_stream = false;  // some unit is compiled with a default stream per thread
  bool unread = false;                     // some unit could not be parsed completely
};

// `beside_cuda`: other units of the project put tensors on the GPU.
Usage usage_of(const std::vector<const facts::UnitFacts*>& units, const Code& code, const Flows& flows,
               bool beside_cuda);

}  // namespace syncsniff::program
