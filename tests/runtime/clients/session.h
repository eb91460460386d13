// A client's start of every scenario: a context, a kernel, a stream.
#pragma once

#include <chrono>

#include "tests/runtime/clients/driver.h"

namespace client {

using Clock = std::chrono::steady_clock;

inline double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Session {
  const Driver& cu;
  CUfunction kernel = nullptr;
  CUstream stream = nullptr;

  explicit Session(const Driver& driver) : cu(driver) {
    CHECK_CU(cu.cuInit(0));
    CUcontext context = nullptr;
    CHECK_CU(cu.cuDevicePrimaryCtxRetain(&context, 0));
    CHECK_CU(cu.cuCtxSetCurrent(context));
    CUmodule module = nullptr;
    CHECK_CU(cu.cuModuleLoadData(&module, ""));
    CHECK_CU(cu.cuModuleGetFunction(&kernel, module, "kernel"));
    CHECK_CU(cu.cuStreamCreate(&stream, kStreamNonBlocking));
  }
  void launch(CUstream on) const { launch(kernel, on); }
  void launch(CUfunction which, CUstream on) const {
    CHECK_CU(cu.cuLaunchKernel(which, 1, 1, 1, 32, 1, 1, 0, on, nullptr, nullptr));
  }
};

inline void wait_often(const Session& s, int times) {
  for (int i = 0; i < times; ++i) CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
}

}  // namespace client
