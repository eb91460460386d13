// What the loop's gates ask, in another file.
#include "pace.h"

#include <cuda_runtime.h>
#include <ctime>

bool Pace::due() { return ++count_ % every_ == 0; }
bool Pace::always() const { return count_ >= 0; }
double seconds_since_start() { return static_cast<double>(clock()) / CLOCKS_PER_SEC; }

void Pace::use() {
  if (fresh_) {
    fresh_ = false;
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  if (quiet_) {
    quiet_ = false;
    cudaStreamSynchronize(nullptr);
  }
}
