// The training set in ordinary host memory, as a data loader would leave it. Page-locked memory is the Prefetcher's
// affair.
#pragma once

#include <cstddef>
#include <vector>

#include "common/data.h"

namespace good {

class Batches {
 public:
  Batches(int count, int rows, int width, int classes);

  int count() const { return static_cast<int>(pixels_.size()); }
  std::size_t floats() const { return pixels_.front().size(); }
  std::size_t bytes() const { return floats() * sizeof(float); }
  // Of the batch that this step works on: they come in turn.
  const float* pixels(std::size_t step) const { return pixels_[step % pixels_.size()].data(); }
  const std::vector<int>& labels() const { return labels_; }  // of all batches, one after the other

 private:
  std::vector<std::vector<float>> pixels_;
  std::vector<int> labels_;
};

}  // namespace good
