// The trainer of bad/train.cpp without its stalls: the host only enqueues.
#include <torch/cuda.h>

#include <chrono>
#include <cstdio>

#include "data.h"
#include "good/step.h"
#include "model.h"

int main(int argc, char** argv) {
  const auto [steps, plant_nan] = run_from(argc, argv);
  const torch::Device device(torch::kCUDA);
  std::vector<Batch> batches = make_batches(kBatches, kRows, kWidth, kClasses);
  for (Batch& batch : batches) batch = {batch.input.pin_memory(), batch.target.pin_memory()};
  torch::manual_seed(1);
  Mlp model(kWidth, kHidden, kLayers, kClasses);
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(kLearningRate).momentum(0.9));
  good::ResultLog log(kPrintEvery);

  try {
    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; ++step) {
      const Batch& batch = batches[static_cast<std::size_t>(step % kBatches)];
      good::train_step(model, optimizer, step == plant_nan ? with_nan(batch) : batch, device, step, log);
    }
    torch::cuda::synchronize();
    const auto end = std::chrono::steady_clock::now();
    log.finish(steps);
    std::printf("ms_per_step %.4f\n", std::chrono::duration<double, std::milli>(end - begin).count() / steps);
  } catch (const syncsniff::NonFiniteError& error) {
    std::printf("step %llu: loss is not finite (told at step %llu)\n", static_cast<unsigned long long>(error.step()),
                static_cast<unsigned long long>(error.noticed_at()));
    return 1;
  }
  return 0;
}
