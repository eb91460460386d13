// Prints the results of steps some steps late: they travel to pinned memory behind the work, and nothing waits.
#pragma once

#include <cuda_runtime.h>

#include <array>

#include "common/loss.h"

namespace good {

class ResultLog {
 public:
  ResultLog(int steps, int print_every);
  ~ResultLog();
  ResultLog(const ResultLog&) = delete;
  ResultLog& operator=(const ResultLog&) = delete;

  // Enqueues the read-back of this step's result, and prints what an earlier step has meanwhile delivered.
  void push(int step, const StepResult* device_result, cudaStream_t stream);
  // Prints the rest. The stream must be idle.
  void finish();
  // False once a printed or finished step had a NaN loss.
  bool healthy() const { return healthy_; }
  float last_loss() const { return last_loss_; }

 private:
  struct Mark {
    cudaEvent_t reached = nullptr;
    int step = 0;
  };
  static constexpr int kMarks = 64;

  void print_up_to(int step);

  StepResult* results_ = nullptr;   // pinned, one a step: 8 bytes, so no slot is ever used twice and none is waited for
  std::array<Mark, kMarks> marks_;  // ring of print steps that the device has not reached yet
  int oldest_ = 0, pending_ = 0;
  int pushed_ = 0, printed_ = 0;
  int print_every_;
  bool healthy_ = true;
  float last_loss_ = 0.0f;
};

}  // namespace good
