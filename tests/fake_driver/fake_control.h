// How tests steer and question the fake driver. Exported by the fake libcuda.so.1 beside the driver's own names.
#pragma once

#include <cstdint>

extern "C" {
// Calls so far of one implementation, by its exported symbol: `cuLaunchKernel` and `cuLaunchKernel_ptsz` differ.
uint64_t fakeCalls(const char* symbol);
// Duration of kernels whose function's name does not say it (`busy_250us` does), and of copies, from now on.
void fakeSetKernelUs(unsigned us);
void fakeSetCopyUs(unsigned us);
}
