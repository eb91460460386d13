// A LibTorch trainer with the usual stalls. The loop is here; the waits are one, two and three calls away.
#include <chrono>
#include <cstdio>

#include "bad/step.h"
#include "data.h"
#include "model.h"

int main(int argc, char** argv) {
  const auto [steps, plant_nan] = run_from(argc, argv);
  const torch::Device device(torch::kCUDA);
  const std::vector<Batch> batches = make_batches(kBatches, kRows, kWidth, kClasses);
  torch::manual_seed(1);
  Mlp model(kWidth, kHidden, kLayers, kClasses);
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(kLearningRate).momentum(0.9));

  const auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < steps; ++step) {
    const Batch& batch = batches[static_cast<std::size_t>(step % kBatches)];
    if (!bad::train_step(model, optimizer, step == plant_nan ? with_nan(batch) : batch, device, step)) return 1;
  }
  const auto end = std::chrono::steady_clock::now();
  std::printf("final loss %.9g\n", bad::last_loss());
  std::printf("ms_per_step %.4f\n", std::chrono::duration<double, std::milli>(end - begin).count() / steps);
  return 0;
}
