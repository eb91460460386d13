// A program with a profiler of its own, linked to CUPTI as PyTorch is: it subscribes in mid-run.
#include <unistd.h>

#include "tests/runtime/clients/driver.h"

extern "C" int cuptiSubscribe(void** subscriber, void* callback, void* data);

int main() {
  const client::Driver cu = client::open_driver(client::Way::kProcAddress);
  CHECK_CU(cu.cuInit(0));
  CUfunction kernel = nullptr;
  CHECK_CU(cu.cuModuleGetFunction(&kernel, nullptr, "busy_100us"));
  CHECK_CU(cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  usleep(500000);
  void* subscriber = nullptr;
  std::printf("subscribe %d\n", cuptiSubscribe(&subscriber, nullptr, nullptr));
  CHECK_CU(cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_CU(cu.cuCtxSynchronize());
  return 7;
}
