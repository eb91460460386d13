// Generated training data: the same numbers on every machine and in every run.
#pragma once

#include <cstddef>

// Host memory of one batch. Who allocated it, and how, is the trainer's affair (bad/batches.cpp, good/batches.cpp).
struct HostBatch {
  float* pixels = nullptr;  // rows x width
  std::size_t pixel_bytes = 0;
  int* labels = nullptr;  // rows
};

// Fills batch number `index`: each row is noise with a pattern that belongs to its label.
void fill_batch(HostBatch& batch, int index, int rows, int width, int classes);
