#include "bad/batches.h"

#include <cstdlib>

namespace bad {

std::vector<HostBatch> make_batches(int count, int rows, int width, int classes) {
  std::vector<HostBatch> batches(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    HostBatch& batch = batches[static_cast<std::size_t>(i)];
    batch.pixel_bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(width) * sizeof(float);
    batch.pixels = static_cast<float*>(std::malloc(batch.pixel_bytes));
    batch.labels = static_cast<int*>(std::malloc(static_cast<std::size_t>(rows) * sizeof(int)));
    if (batch.pixels == nullptr || batch.labels == nullptr) std::abort();
    fill_batch(batch, i, rows, width, classes);
  }
  return batches;
}

void free_batches(std::vector<HostBatch>& batches) {
  for (HostBatch& batch : batches) {
    std::free(batch.pixels);
    std::free(batch.labels);
  }
  batches.clear();
}

}  // namespace bad
