// Command line of both trainers. A bad option prints the usage and exits with 2.
#pragma once

#include <cstddef>

enum class InputFrom {
  kPrefetch,  // from host memory, by a syncsniff::Prefetcher
  kDevice,    // all batches lie in device memory: what the other is to be as fast as
};

struct Options {
  int steps = 200;
  int batch = 1024;
  int hidden = 1024;
  int layers = 8;    // hidden layers
  int input_mb = 8;  // MiB of input a step; sets the width of the input
  int print_every = 10;
  int plant_nan = -1;                           // the step whose loss becomes NaN, on the device
  InputFrom input_from = InputFrom::kPrefetch;  // train.good alone

  static constexpr int kClasses = 10;
  static constexpr int kWarmUpSteps = 10;

  // Floats per row of input: input_mb spread over the batch, a multiple of 8.
  int input_width() const {
    const auto width = (static_cast<std::size_t>(input_mb) << 20) / sizeof(float) / static_cast<std::size_t>(batch);
    return width < 8 ? 8 : static_cast<int>(width / 8 * 8);
  }
};

// takes_input_from: whether this trainer has the option --input-from.
Options parse_options(int argc, char** argv, bool takes_input_from = false);
