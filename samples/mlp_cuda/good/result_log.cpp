#include "good/result_log.h"

#include <cmath>
#include <cstdio>

#include "common/cuda_check.h"

namespace good {

ResultLog::ResultLog(int steps, int print_every) : print_every_(print_every) {
  CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&results_), static_cast<std::size_t>(steps) * sizeof(StepResult)));
  for (Mark& mark : marks_) CUDA_CHECK(cudaEventCreateWithFlags(&mark.reached, cudaEventDisableTiming));
}

ResultLog::~ResultLog() {
  for (Mark& mark : marks_) cudaEventDestroy(mark.reached);
  cudaFreeHost(results_);
}

void ResultLog::push(int step, const StepResult* device_result, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(results_ + step, device_result, sizeof(StepResult), cudaMemcpyDeviceToHost, stream));
  pushed_ = step + 1;
  // With the ring full this print step gets no mark: the next one's covers it.
  if (step % print_every_ == 0 && pending_ < kMarks) {
    Mark& mark = marks_[static_cast<std::size_t>((oldest_ + pending_) % kMarks)];
    mark.step = step;
    CUDA_CHECK(cudaEventRecord(mark.reached, stream));
    ++pending_;
  }
  if (pending_ == 0) return;
  const Mark& oldest = marks_[static_cast<std::size_t>(oldest_)];
  if (cudaEventQuery(oldest.reached) != cudaSuccess) return;  // not there yet: ask again next step
  print_up_to(oldest.step);
  oldest_ = (oldest_ + 1) % kMarks;
  --pending_;
}

void ResultLog::print_up_to(int step) {
  for (; printed_ <= step; ++printed_) {
    const StepResult& result = results_[printed_];
    last_loss_ = result.loss;
    if (std::isnan(result.loss)) {
      if (healthy_) std::printf("step %d loss is NaN\n", printed_);
      healthy_ = false;
    } else if (printed_ % print_every_ == 0) {
      std::printf("step %d loss %.9g grad_sum %.9g\n", printed_, static_cast<double>(result.loss),
                  static_cast<double>(result.gradient_sum));
    }
  }
}

void ResultLog::finish() {
  print_up_to(pushed_ - 1);
  pending_ = 0;
}

}  // namespace good
