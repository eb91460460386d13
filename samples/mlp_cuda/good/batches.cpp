#include "good/batches.h"

namespace good {

Batches::Batches(int count, int rows, int width, int classes)
    : pixels_(static_cast<std::size_t>(count),
              std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(width))),
      labels_(static_cast<std::size_t>(count) * static_cast<std::size_t>(rows)) {
  for (int i = 0; i < count; ++i) {
    HostBatch batch;
    batch.pixels = pixels_[static_cast<std::size_t>(i)].data();
    batch.pixel_bytes = bytes();
    batch.labels = labels_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(rows);
    fill_batch(batch, i, rows, width, classes);
  }
}

}  // namespace good
