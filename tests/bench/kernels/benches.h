// The benchmarks in C++, each printing a table. One executable runs them all (main.cu), and so does bench.py, in one
// process with the peers in PyTorch.
#pragma once

#include <cuda_runtime_api.h>

namespace bench {

void reductions(cudaStream_t stream);   // multi_tensor::sum and the like beside CUB
void elementwise(cudaStream_t stream);  // map, and the in-place operations over many tensors
void one_tensor(cudaStream_t stream);   // NanGuard's and DeferredScalar's kernels and calls
void steps(cudaStream_t stream);  // copies by StagedCopy and Prefetcher, a step by GraphedStep, blocks by PinnedPool

// All of them on a stream of their own; 77 where there is no GPU, else 0. A CUDA error ends the process.
int run_all();

}  // namespace bench
