// The same wait behind every sort of condition. A name alone lowers by one step.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void step_kernel(float* x, int n);
__global__ void evaluate_kernel(float* x, int n);

struct Net {
  bool train = true;
  float* weights = nullptr;
};

constexpr int kLogEvery = 100;
constexpr bool kCheckEachStep = false;
#define SYNC_EACH_STEP 0
static const int verify = 0;

void gates(Net& net, float* x, int n, int steps, bool verbose, bool debug_sync, bool benchmark_layers, int log_interval) {
  int iter = 0;
  for (int step = 0; step < steps; ++step) {
    step_kernel<<<1, 256>>>(x, n);
    if (step % 100 == 0) cudaDeviceSynchronize();           // expect-low [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (step % kLogEvery == 0) {
      cudaDeviceSynchronize();                              // expect-low [sync-in-loop]
      printf("step %d\n", step);
    }
    step_kernel<<<1, 256>>>(x, n);
    if (step % 2 == 0) cudaDeviceSynchronize();             // expect-medium [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (step % 1 == 0) cudaDeviceSynchronize();             // expect-high [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (iter++ % 50 == 0) cudaDeviceSynchronize();          // expect-low [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (!(step % log_interval)) cudaDeviceSynchronize();    // expect-low [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (0 == step % 500) cudaDeviceSynchronize();           // expect-low [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if ((step + 1) % 200 == 0 || step == steps - 1) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (step > 0 && step % 250 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (step % 100 != 0) cudaDeviceSynchronize();           // expect-high [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (verbose) cudaDeviceSynchronize();                   // expect-medium [sync-in-loop] expect-evidence [sync-in-loop] {{'verbose' in the name}}
    step_kernel<<<1, 256>>>(x, n);
    if (debug_sync) cudaDeviceSynchronize();                // expect-medium [sync-in-loop]
    if (benchmark_layers) cudaDeviceSynchronize();          // expect-medium [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (!net.train) cudaDeviceSynchronize();                // expect-medium [sync-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    if (net.train) cudaDeviceSynchronize();                 // expect-high [sync-in-loop]
  }
}

void never_run(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    step_kernel<<<1, 256>>>(x, n);
    if (kCheckEachStep) cudaDeviceSynchronize();
    if (SYNC_EACH_STEP) cudaDeviceSynchronize();
    if (verify) cudaDeviceSynchronize();
    if (verify && step > 3) cudaDeviceSynchronize();
#ifdef DEBUG
    cudaDeviceSynchronize();
#endif
  }
}

void errors(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    step_kernel<<<1, 256>>>(x, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
      cudaDeviceSynchronize();
      fprintf(stderr, "%s\n", cudaGetErrorString(error));
      exit(1);
    }
    if (n < 0) {
      cudaDeviceSynchronize();
      fprintf(stderr, "bad size\n");
      exit(1);
    }
    try {
      step_kernel<<<1, 256>>>(x, n);
    } catch (...) {
      cudaDeviceSynchronize();
      throw;
    }
  }
}

void set_up_inside(Net& net, float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    if (!net.weights) {
      cudaMalloc(&net.weights, n * sizeof(float));
      step_kernel<<<1, 256>>>(net.weights, n);
      cudaDeviceSynchronize();
    }
    static bool initialized = false;
    if (!initialized) {
      cudaDeviceSynchronize();
      initialized = true;
    }
    step_kernel<<<1, 256>>>(net.weights, n);
  }
}

void validate(float* x, int n, int batches) {
  for (int i = 0; i < batches; ++i) {
    evaluate_kernel<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}

void epochs(float* x, int n, int epochs, int batches) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int batch = 0; batch < batches; ++batch) step_kernel<<<1, 256>>>(x, n);
    validate(x, n, batches);
  }
}

// Told at its calls, and for what it is: a comparison with the host's result.
void validate_result(const float* device, float* host, int n) {
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
}
void read_back(const float* device, float* host, int n) {
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
}
void compare_sizes(float* x, float* host, int n, int sizes) {
  for (int i = 0; i < sizes; ++i) {
    step_kernel<<<1, 256>>>(x, n);
    validate_result(x, host, n);  // expect-medium [blocking-copy-in-loop]
    step_kernel<<<1, 256>>>(x, n);
    read_back(x, host, n);  // expect-high [blocking-copy-in-loop]
  }
}
