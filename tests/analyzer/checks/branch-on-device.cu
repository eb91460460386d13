// The host decides by what it fetched: one finding a place, which replaces that of the read-back.
#include <cuda_runtime.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

__global__ void forward(float* x, float* loss, int n);
__global__ void update(float* x, int n);
__global__ void relax(float* x, int* changed, int n);

// A NaN guard: the answer is nearly always the same, and can come a step late.
void nan_guard(float* x, float* device_loss, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, device_loss, n);
    float loss;
    cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high {{branches on the result ('if (std::isnan(loss))')}} [branch-on-device]
    if (std::isnan(loss)) throw std::runtime_error("diverged");
    update<<<1, 256>>>(x, n);
  }
}

// Through a variable, and as a comparison with itself.
void nan_guard_by_hand(float* x, float* device_loss, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, device_loss, n);
    float loss;
    cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [branch-on-device]
    const bool bad = loss != loss;
    if (bad) break;
    update<<<1, 256>>>(x, n);
  }
}

// The update is skipped by a flag.
void loss_scaling(float* x, int* device_flag, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<1, 256>>>(x, device_flag, n);
    int overflow;
    cudaMemcpy(&overflow, device_flag, sizeof(int), cudaMemcpyDeviceToHost);  // expect-high {{4 bytes}} [branch-on-device]
    if (overflow) {
      std::printf("step %d skipped\n", step);
    } else {
      update<<<1, 256>>>(x, n);
    }
  }
}

// Helpers that hand the value back: as their result, and through a pointer.
int fetch(const int* device_flag) {
  int flag;
  cudaMemcpy(&flag, device_flag, sizeof(int), cudaMemcpyDeviceToHost);
  return flag;
}
void fetch_into(int* flag, const int* device_flag) {
  cudaMemcpy(flag, device_flag, sizeof(int), cudaMemcpyDeviceToHost);
}
void helpers(float* x, int* device_flag, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<1, 256>>>(x, device_flag, n);
    if (fetch(device_flag)) update<<<1, 256>>>(x, n);  // expect-high [branch-on-device]
    relax<<<1, 256>>>(x, device_flag, n);
    int flag = 0;
    fetch_into(&flag, device_flag);  // expect-high [branch-on-device]
    if (flag != 0) continue;
    update<<<1, 256>>>(x, n);
  }
}

// A count made on the device, in the condition itself.
void counts(thrust::device_vector<int>& flags, float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    if (thrust::count(flags.begin(), flags.end(), 1) > 0) update<<<1, 256>>>(x, n);  // expect-high [branch-on-device]
  }
}

// The algorithm needs to know when it is done: low.
void converges(float* x, int* device_changed, int n) {
  int changed = 1;
  while (changed) {
    cudaMemsetAsync(device_changed, 0, sizeof(int));
    relax<<<1, 256>>>(x, device_changed, n);
    cudaMemcpy(&changed, device_changed, sizeof(int), cudaMemcpyDeviceToHost);  // expect-low {{while (changed)}} [branch-on-device]
  }
}
void residual(float* x, float* device_residual, int n, float tolerance) {
  float left = 1e30f;
  while (left > tolerance) {
    forward<<<1, 256>>>(x, device_residual, n);
    cudaMemcpy(&left, device_residual, sizeof(float), cudaMemcpyDeviceToHost);  // expect-low [branch-on-device]
  }
}
void leaves_when_done(float* x, float* device_residual, int n, int steps, float tolerance, cudaStream_t stream) {
  float* left;
  cudaMallocHost(&left, sizeof(float));
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256, 0, stream>>>(x, device_residual, n);
    cudaMemcpyAsync(left, device_residual, sizeof(float), cudaMemcpyDeviceToHost, stream);  // expect-low [branch-on-device]
    cudaStreamSynchronize(stream);
    if (*left < tolerance) break;
  }
}

// How often to launch.
void as_many_as_found(float* x, int* device_found, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<1, 256>>>(x, device_found, n);
    int found;
    cudaMemcpy(&found, device_found, sizeof(int), cudaMemcpyDeviceToHost);  // expect-high [branch-on-device]
    for (int i = 0; i < found; ++i) update<<<1, 256>>>(x, n);
  }
}

// A solver's own arithmetic comes to the host with the test: not low.
#include <cublas_v2.h>
void conjugate_gradients(cublasHandle_t handle, float* r, float* p, int n, float tolerance, int most) {
  float now = 1e30f;
  for (int k = 0; now > tolerance && k < most; ++k) {
    update<<<1, 256>>>(p, n);
    cublasSdot(handle, n, r, 1, r, 1, &now);  // expect-high {{now > tolerance}} [branch-on-device]
  }
}
