// Where a step's input comes from: the Prefetcher, which copies the next batches while the device works, or batches
// that lie in device memory, which shows what the copies cost.
#pragma once

#include <syncsniff/prefetcher.h>

#include <memory>

#include "common/options.h"
#include "good/batches.h"
#include "good/pace.h"

namespace good {

// How many steps the host is ahead of the device at most: while it enqueues step s, step s - kLead is done.
inline constexpr int kLead = 5;

class Inputs {
 public:
  virtual ~Inputs() = default;
  // The input of `step`, in device memory: for what `stream` is given from here on until the next call. Called once a
  // step, from step 0 on.
  virtual const float* next(int step, cudaStream_t stream) = 0;
};

// `batches` and `pace` must outlive it.
std::unique_ptr<Inputs> make_inputs(const Options& options, const Batches& batches, const Pace& pace);

}  // namespace good
