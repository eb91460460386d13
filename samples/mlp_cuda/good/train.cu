// The trainer of bad/train.cu without its stalls: the same losses to the bit, and no CUDA call of the loop waits.
// A loss that is not finite is told at most kLead (5) steps after its own; the device leaves out that step's update.
#include <syncsniff/nan_guard.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include "common/clock.h"
#include "common/loss.h"
#include "common/network.h"
#include "common/optimizer.h"
#include "common/options.h"
#include "good/batches.h"
#include "good/gradient_sums.h"
#include "good/inputs.h"
#include "good/pace.h"
#include "good/result_log.h"

namespace good {
namespace {

constexpr int kBatches = 4;

std::vector<int> widths_of(const Options& options) {
  std::vector<int> widths(1, options.input_width());
  widths.insert(widths.end(), static_cast<std::size_t>(options.layers), options.hidden);
  widths.push_back(Options::kClasses);
  return widths;
}

cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

class Trainer {
 public:
  explicit Trainer(const Options& options)
      : stream_(make_stream()),
        batches_(kBatches, options.batch, options.input_width(), Options::kClasses),
        labels_(batches_.labels().size()),
        inputs_(make_inputs(options, batches_, pace_)),
        result_(1),
        network_(widths_of(options), options.batch, stream_),
        loss_(options.batch, options.plant_nan),
        sums_(network_.parameters(), stream_),
        log_(options.print_every),
        guard_(kMaxLag),
        rows_(options.batch) {
    CUDA_CHECK(
        cudaMemcpy(labels_.data(), batches_.labels().data(), labels_.count() * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceSynchronize());  // set-up ran on the default stream, which stream_ does not wait for
  }
  ~Trainer() { cudaStreamDestroy(stream_); }

  // Throws syncsniff::NonFiniteError when it hears of a loss that is not finite.
  void run(int first, int last) {
    for (int step = first; step < last; ++step) {
      const float* input = inputs_->next(step, stream_);
      StepResult* result = result_.data();
      network_.forward(input);
      loss_.launch(network_.logits(), labels_.data() + step % kBatches * rows_, network_.logit_gradients(),
                   &result->loss, Options::kClasses, stream_);
      network_.backward(input);
      sums_.launch(&result->gradient_sum, stream_);
      sgd_step(network_.parameters(), &result->loss, stream_);
      log_.push(step, result, stream_);
      CUDA_CHECK(guard_.read_value(&result->loss, static_cast<std::uint64_t>(step), stream_));
      pace_.mark(&result->loss, stream_);  // last: what it marks as done has been read back, too
      guard_.check(static_cast<std::uint64_t>(step));
    }
  }
  void drain() { CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  void finish(int steps) {
    log_.finish();
    guard_.finish(static_cast<std::uint64_t>(steps));
  }
  ResultLog& log() { return log_; }

 private:
  // The guard's ring holds twice as many: more than the launch queue lets the host be ahead, should pace_ give up.
  static constexpr std::uint32_t kMaxLag = 32;

  cudaStream_t stream_;
  Batches batches_;
  Pace pace_;
  DeviceBuffer<int> labels_;
  std::unique_ptr<Inputs> inputs_;
  DeviceBuffer<StepResult> result_;
  Network network_;
  SoftmaxLoss loss_;
  GradientSums sums_;
  ResultLog log_;
  syncsniff::NanGuard guard_;
  int rows_;
};

void train(const Options& options) {
  Trainer trainer(options);
  const int warm_up = std::min(Options::kWarmUpSteps, options.steps);
  std::uint64_t begin = 0, end = 0;
  try {
    trainer.run(0, warm_up);
    trainer.drain();
    begin = now_ns();
    trainer.run(warm_up, options.steps);
    trainer.drain();
    end = now_ns();
    trainer.finish(options.steps);
  } catch (const syncsniff::NonFiniteError&) {
    trainer.log().finish();
    throw;
  }
  std::printf("final loss %.9g\n", static_cast<double>(trainer.log().last_loss()));
  if (options.steps > warm_up) {
    std::printf("ms_per_step %.4f\n", static_cast<double>(end - begin) * 1e-6 / (options.steps - warm_up));
  }
}

}  // namespace
}  // namespace good

int main(int argc, char** argv) {
  const Options options = parse_options(argc, argv, /*takes_input_from=*/true);
  try {
    good::train(options);
  } catch (const syncsniff::NonFiniteError& error) {
    std::printf("step %llu: loss is not finite (told at step %llu)\n", static_cast<unsigned long long>(error.step()),
                static_cast<unsigned long long>(error.noticed_at()));
    return 1;
  } catch (const std::exception& error) {  // of set-up: no memory, no device
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
