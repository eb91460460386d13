// An operator that is handed to Python and has a loop of its own: what it does with tensors is to bring one to the host.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <torch/torch.h>

cublasHandle_t handle;

torch::Tensor balance(torch::Tensor gates, torch::Tensor capacity) {
  if (!gates.is_cuda()) throw 1;
  auto left = capacity.clone();
  const auto many = left.item<int64_t>();  // the host writes into it below, so it is on the CPU
  auto on_host = gates.cpu();              // expect-medium {{at each call of 'balance'}} [tensor-to-host]
  const int64_t* gate = on_host.data_ptr<int64_t>();
  float counts[32] = {};
  for (int i = 0; i < gates.size(0); ++i) ++counts[gate[i]];
  float* there;
  cudaMalloc(&there, sizeof(counts));                                // expect-medium [alloc-in-loop]
  cudaMemcpy(there, counts, sizeof(counts), cudaMemcpyHostToDevice);  // expect-medium [blocking-copy-in-loop]
  for (int64_t round = 0; round < many; ++round) cublasSaxpy(handle, 31, counts, there, 1, there + 1, 1);
  cudaMemcpy(counts, there, sizeof(counts), cudaMemcpyDeviceToHost);  // expect-medium [blocking-copy-in-loop]
  cudaFree(there);
  *left.data_ptr<int64_t>() = many - counts[0];
  return left;
}

void define(const char* name, torch::Tensor (*function)(torch::Tensor, torch::Tensor));
void fill_module() { define("balance", &balance); }
