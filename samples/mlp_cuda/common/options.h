// Command line of both trainers. A bad option prints the usage and exits with 2.
#pragma once

#include <cstddef>

struct Options {
  int steps = 200;
  int batch = 1024;
  int hidden = 1024;
  int layers = 8;    // hidden layers
  int input_mb = 8;  // MiB of input a step; sets the width of the input
  int print_every = 10;

  static constexpr int kClasses = 10;
  static constexpr int kWarmUpSteps = 10;

  // Floats a row of input: input_mb spread over the batch, a multiple of 8.
  int input_width() const {
    const auto width = (static_cast<std::size_t>(input_mb) << 20) / sizeof(float) / static_cast<std::size_t>(batch);
    return width < 8 ? 8 : static_cast<int>(width / 8 * 8);
  }
};

Options parse_options(int argc, char** argv);
