// The trainer of bad/train.cu without its stalls: the same losses to the bit, and a loop in which the host never waits.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/clock.h"
#include "common/loss.h"
#include "common/network.h"
#include "common/optimizer.h"
#include "common/options.h"
#include "good/batches.h"
#include "good/gradient_sums.h"
#include "good/input_pipeline.h"
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
        batches_(make_batches(kBatches, options.batch, options.input_width(), Options::kClasses)),
        labels_(static_cast<std::size_t>(kBatches) * static_cast<std::size_t>(options.batch)),
        inputs_(batches_.front().pixel_bytes / sizeof(float)),
        result_(1),
        network_(widths_of(options), options.batch, stream_),
        loss_(options.batch),
        sums_(network_.parameters(), stream_),
        log_(options.steps, options.print_every),
        rows_(options.batch) {
    for (int i = 0; i < kBatches; ++i) {
      CUDA_CHECK(cudaMemcpy(labels_.data() + i * rows_, batches_[static_cast<std::size_t>(i)].labels,
                            static_cast<std::size_t>(rows_) * sizeof(int), cudaMemcpyHostToDevice));
    }
    CUDA_CHECK(cudaDeviceSynchronize());  // set-up ran on the default stream, which stream_ does not wait for
  }
  ~Trainer() {
    free_batches(batches_);
    cudaStreamDestroy(stream_);
  }

  void run(int first, int last) {
    for (int step = first; step < last && log_.healthy(); ++step) {
      const float* input = inputs_.load(batches_[static_cast<std::size_t>(step % kBatches)], stream_);
      StepResult* result = result_.data();
      network_.forward(input);
      loss_.launch(network_.logits(), labels_.data() + step % kBatches * rows_, network_.logit_gradients(),
                   &result->loss, Options::kClasses, stream_);
      network_.backward(input);
      inputs_.release(stream_);
      sums_.launch(&result->gradient_sum, stream_);
      sgd_step(network_.parameters(), &result->loss, stream_);
      log_.push(step, result, stream_);
    }
  }
  void drain() { CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  ResultLog& log() { return log_; }

 private:
  cudaStream_t stream_;
  std::vector<HostBatch> batches_;
  DeviceBuffer<int> labels_;
  InputPipeline inputs_;
  DeviceBuffer<StepResult> result_;
  Network network_;
  SoftmaxLoss loss_;
  GradientSums sums_;
  ResultLog log_;
  int rows_;
};

}  // namespace
}  // namespace good

int main(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  good::Trainer trainer(options);
  const int warm_up = std::min(Options::kWarmUpSteps, options.steps);
  trainer.run(0, warm_up);
  trainer.drain();
  const std::uint64_t begin = now_ns();
  trainer.run(warm_up, options.steps);
  trainer.drain();
  const std::uint64_t end = now_ns();
  trainer.log().finish();
  if (!trainer.log().healthy()) return 1;
  std::printf("final loss %.9g\n", static_cast<double>(trainer.log().last_loss()));
  if (options.steps > warm_up) {
    std::printf("ms_per_step %.4f\n", static_cast<double>(end - begin) * 1e-6 / (options.steps - warm_up));
  }
  return 0;
}
