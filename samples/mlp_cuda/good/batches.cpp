#include "good/batches.h"

#include "common/cuda_check.h"

namespace good {

std::vector<HostBatch> make_batches(int count, int rows, int width, int classes) {
  std::vector<HostBatch> batches(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    HostBatch& batch = batches[static_cast<std::size_t>(i)];
    batch.pixel_bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(width) * sizeof(float);
    CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&batch.pixels), batch.pixel_bytes));
    CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&batch.labels), static_cast<std::size_t>(rows) * sizeof(int)));
    fill_batch(batch, i, rows, width, classes);
  }
  return batches;
}

void free_batches(std::vector<HostBatch>& batches) {
  for (HostBatch& batch : batches) {
    cudaFreeHost(batch.pixels);
    cudaFreeHost(batch.labels);
  }
  batches.clear();
}

}  // namespace good
