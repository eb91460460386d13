#include "good/result_log.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "common/cuda_check.h"

namespace good {

void ResultLog::push(int step, const StepResult* device_result, cudaStream_t stream) {
  CUDA_CHECK(results_.enqueue(device_result, static_cast<std::uint64_t>(step), stream));
  print_arrived();
}

// Asks the device once: after the newest value that has arrived, pop() would ask again for the one that has not.
void ResultLog::print_arrived() {
  for (auto result = results_.pop(); result; result = results_.pop()) {
    print(*result);
    if (result->step == results_.latest_step()) return;
  }
}

void ResultLog::print(const syncsniff::StepValue<StepResult>& result) {
  healthy_ = healthy_ && std::isfinite(result.value.loss);
  if (!healthy_) return;
  last_loss_ = result.value.loss;
  if (result.step % static_cast<std::uint64_t>(print_every_) == 0) {
    std::printf("step %llu loss %.9g grad_sum %.9g\n", static_cast<unsigned long long>(result.step),
                static_cast<double>(result.value.loss), static_cast<double>(result.value.gradient_sum));
  }
}

void ResultLog::finish() {
  CUDA_CHECK(results_.drain());
  print_arrived();
  if (results_.skipped() + results_.overwritten() != 0) {
    std::fprintf(stderr, "%llu results were left out of the log\n",
                 static_cast<unsigned long long>(results_.skipped() + results_.overwritten()));
  }
}

}  // namespace good
