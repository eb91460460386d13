#include "common/data.h"

#include "common/random.h"

void fill_batch(HostBatch& batch, int index, int rows, int width, int classes) {
  Random random(1000u + static_cast<unsigned>(index));
  for (int row = 0; row < rows; ++row) {
    const int label = static_cast<int>(random.next() % static_cast<unsigned>(classes));
    batch.labels[row] = label;
    float* pixels = batch.pixels + static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
    for (int i = 0; i < width; ++i) pixels[i] = random.symmetric() + (i % classes == label ? 0.25f : 0.0f);
  }
}
