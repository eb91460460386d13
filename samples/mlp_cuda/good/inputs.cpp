#include "good/inputs.h"

#include <cstring>
#include <vector>

#include "common/cuda_check.h"
#include "common/device_buffer.h"

namespace good {
namespace {

class PrefetchedInputs : public Inputs {
 public:
  PrefetchedInputs(int steps, const Batches& batches, const Pace& pace)
      : prefetcher_(options_for(batches), [=, &batches, &pace](std::uint64_t step, void* pinned, std::size_t) {
          if (step >= static_cast<std::uint64_t>(steps)) return std::size_t{0};
          pace.sleep_until_done(static_cast<std::int64_t>(step) - kLead);
          std::memcpy(pinned, batches.pixels(step), batches.bytes());
          return batches.bytes();
        }) {}

  const float* next(int, cudaStream_t stream) override {
    syncsniff::PrefetchedBatch batch;
    CUDA_CHECK(prefetcher_.next(stream, batch));
    return static_cast<const float*>(batch.data);
  }

 private:
  // With one buffer more than kLead, the fill of step s finds the pinned block of step s - kLead - 1 copied: it waited
  // for a later step when it filled the one before. So the Prefetcher's thread has nothing to wait for in a CUDA call.
  static syncsniff::PrefetchOptions options_for(const Batches& batches) {
    syncsniff::PrefetchOptions options;
    options.max_bytes = batches.bytes();
    options.buffers = kLead + 1;
    return options;
  }

  syncsniff::Prefetcher prefetcher_;
};

class ResidentInputs : public Inputs {
 public:
  ResidentInputs(const Batches& batches, const Pace& pace) : pace_(pace) {
    for (int i = 0; i < batches.count(); ++i) {
      batches_.emplace_back(batches.floats());
      CUDA_CHECK(cudaMemcpy(batches_.back().data(), batches.pixels(static_cast<std::size_t>(i)), batches.bytes(),
                            cudaMemcpyHostToDevice));
    }
  }

  const float* next(int step, cudaStream_t) override {
    pace_.sleep_until_done(step - kLead);
    return batches_[static_cast<std::size_t>(step) % batches_.size()].data();
  }

 private:
  const Pace& pace_;
  std::vector<DeviceBuffer<float>> batches_;
};

}  // namespace

std::unique_ptr<Inputs> make_inputs(const Options& options, const Batches& batches, const Pace& pace) {
  if (options.input_from == InputFrom::kDevice) return std::make_unique<ResidentInputs>(batches, pace);
  return std::make_unique<PrefetchedInputs>(options.steps, batches, pace);
}

}  // namespace good
