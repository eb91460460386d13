// Messages of a logging library that a level turns on and off. What the level is, no source says: one that is for
// debugging is low, another one medium.
#include <iostream>
#include <sstream>
#include <torch/torch.h>

struct Logger {
  bool isDebugEnabled() const;
  bool isInfoEnabled() const;
  void log(const std::string& text);
};
#define LOG_DEBUG(logger, message)   \
  do {                               \
    if ((logger).isDebugEnabled()) { \
      std::ostringstream text_;      \
      text_ << message;              \
      (logger).log(text_.str());     \
    }                                \
  } while (0)
#define LOG_INFO(logger, message)   \
  do {                              \
    if ((logger).isInfoEnabled()) { \
      std::ostringstream text_;     \
      text_ << message;             \
      (logger).log(text_.str());    \
    }                               \
  } while (0)

bool worsens(int step) { return step > 7; }
bool may_go_on();

void train(torch::nn::Linear& model, torch::optim::SGD& optimizer, Logger& logger, torch::Tensor x, int steps) {
  for (int i = 0; i < steps; ++i) {
    auto loss = model->forward(x.to(torch::kCUDA, true)).sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    LOG_DEBUG(logger, "loss " << loss);  // expect-low [tensor-to-host]
    LOG_INFO(logger, "loss " << loss);  // expect-medium [tensor-to-host]
    if (worsens(i)) std::cout << loss;  // expect-high [tensor-to-host]
  }
}

// What it asks decides about more than a message.
void search(torch::nn::Linear& model, torch::optim::SGD& optimizer, torch::Tensor x, float best, int steps) {
  for (int i = 0; i < steps; ++i) {
    auto loss = model->forward(x.to(torch::kCUDA, true)).sum();
    optimizer.zero_grad();
    loss.backward();
    if (may_go_on()) {
      optimizer.step();
      best = loss.item<float>();  // expect-high [tensor-to-host]
      std::cout << best;
    }
  }
}
