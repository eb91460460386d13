// A small trainer with the stalls that small trainers have. Its repaired twin is good/train.cu; both compute the same
// losses to the bit.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "bad/batches.h"
#include "bad/gradient_sums.h"
#include "bad/step_log.h"
#include "bad/timed_wait.h"
#include "common/clock.h"
#include "common/loss.h"
#include "common/network.h"
#include "common/optimizer.h"
#include "common/options.h"

namespace bad {
namespace {

constexpr int kBatches = 4;

std::vector<int> widths_of(const Options& options) {
  std::vector<int> widths(1, options.input_width());
  widths.insert(widths.end(), static_cast<std::size_t>(options.layers), options.hidden);
  widths.push_back(Options::kClasses);
  return widths;
}

class Trainer {
 public:
  explicit Trainer(const Options& options)
      : batches_(make_batches(kBatches, options.batch, options.input_width(), Options::kClasses)),
        labels_(static_cast<std::size_t>(kBatches) * static_cast<std::size_t>(options.batch)),
        input_(batches_.front().pixel_bytes / sizeof(float)),
        result_(1),
        network_(widths_of(options), options.batch, 0),
        loss_(options.batch, options.plant_nan),
        sums_(network_.parameters()),
        log_(options.print_every),
        rows_(options.batch) {
    for (int i = 0; i < kBatches; ++i) {
      CUDA_CHECK(cudaMemcpy(labels_.data() + i * rows_, batches_[static_cast<std::size_t>(i)].labels,
                            static_cast<std::size_t>(rows_) * sizeof(int), cudaMemcpyHostToDevice));
    }
  }
  ~Trainer() { free_batches(batches_); }

  // False when the loss has become NaN.
  bool run(int first, int last) {
    for (int step = first; step < last; ++step) {
      const HostBatch& batch = batches_[static_cast<std::size_t>(step % kBatches)];
      TIMED_WAIT(cudaMemcpyAsync(input_.data(), batch.pixels, batch.pixel_bytes, cudaMemcpyHostToDevice, 0));
      network_.forward(input_.data());
      loss_.launch(network_.logits(), labels_.data() + step % kBatches * rows_, network_.logit_gradients(),
                   &result_.data()->loss, Options::kClasses, 0);
      float loss = 0.0f;
      TIMED_WAIT(cudaMemcpy(&loss, &result_.data()->loss, sizeof(float), cudaMemcpyDeviceToHost));
      TIMED_WAIT(cudaStreamSynchronize(0));
      if (std::isnan(loss)) {
        std::printf("step %d loss is NaN\n", step);
        return false;
      }
      network_.backward(input_.data());
      sums_.launch(0);
      sgd_step(network_.parameters(), nullptr, 0);
      log_.end_step(step, loss, sums_);
    }
    return true;
  }
  float last_loss() const { return log_.last_loss(); }

 private:
  std::vector<HostBatch> batches_;
  DeviceBuffer<int> labels_;
  DeviceBuffer<float> input_;
  DeviceBuffer<StepResult> result_;
  Network network_;
  SoftmaxLoss loss_;
  GradientSums sums_;
  StepLog log_;
  int rows_;
};

}  // namespace
}  // namespace bad

int main(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  bad::Trainer trainer(options);
  const int warm_up = std::min(Options::kWarmUpSteps, options.steps);
  if (!trainer.run(0, warm_up)) return 1;
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::uint64_t begin = now_ns();
  if (!trainer.run(warm_up, options.steps)) return 1;
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::uint64_t end = now_ns();
  std::printf("final loss %.9g\n", static_cast<double>(trainer.last_loss()));
  if (options.steps > warm_up) {
    std::printf("ms_per_step %.4f\n", static_cast<double>(end - begin) * 1e-6 / (options.steps - warm_up));
  }
  bad::print_wait_table();
  return 0;
}
