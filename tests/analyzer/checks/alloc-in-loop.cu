// alloc-in-loop: each expectation stands on the line it speaks of; any other finding fails the test.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void made_and_freed_each_step(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    float* tmp;
    // expect-high@+2 {{takes the driver's lock and may wait for the device}} [alloc-in-loop]
    // expect-path@+1 [alloc-in-loop] alloc-in-loop.cu:8, alloc-in-loop.cu:14
    cudaMalloc(&tmp, n * sizeof(float));
    k<<<1, 256>>>(tmp, n);
    cudaFree(tmp);
  }
}

float* alloc(int n) {
  float* p = nullptr;
  cudaMalloc((void**)&p, n * sizeof(float));
  return p;
}
void release(float* p) { cudaFree(p); }

float* larger(int n);

void each_caller_of_a_helper_is_told(float* x, int n, int steps) {
  float* before = alloc(n);
  for (int i = 0; i < steps; ++i) {
    float* a = alloc(n);      // expect-high {{cudaMalloc}} [alloc-in-loop]
    float* b = alloc(2 * n);  // expect-high {{cudaMalloc}} [alloc-in-loop]
    k<<<1, 256>>>(a, n);
    k<<<1, 256>>>(b, n);
    release(a);
    release(b);
  }
  release(before);
}

void freed_alone(float** batches, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    float* given = larger(n);
    k<<<1, 256>>>(given, n);
    cudaFree(given);  // expect-high {{cudaFree waits for the device}} [alloc-in-loop]
  }
}

template <typename T>
struct Scratch {
  T* data;
  void get(int n) { cudaMalloc(&data, n * sizeof(T)); }
};

template <typename T>
void templated_step(T* x, int n) {
  Scratch<T> scratch;
  scratch.get(n);  // expect-high [alloc-in-loop]
  k<<<1, 256>>>(scratch.data, n);
}

void calls_a_template(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) templated_step(x, n);
}

struct Layer {
  virtual ~Layer() {}
  virtual void forward(float* x, int n) = 0;
};
struct Convolution : Layer {
  void forward(float* x, int n) override {
    void* workspace = nullptr;
    cudaMalloc(&workspace, 1 << 20);  // expect-high [alloc-in-loop]
    k<<<1, 256>>>(x, n);
    cudaFree(workspace);
  }
};

void virtual_forward(Layer** layers, int count, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    for (int l = 0; l < count; ++l) layers[l]->forward(x, n);
  }
}

void dearer_things(float* x, float* pageable, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    float* staging;
    cudaMallocHost(&staging, n * sizeof(float));                      // expect-high {{page-locks}} [alloc-in-loop]
    cudaHostRegister(pageable, n, 0);                                 // expect-high {{page-locks}} [alloc-in-loop]
    cublasHandle_t handle;
    cublasCreate(&handle);                                            // expect-high {{handle}} [alloc-in-loop]
    cudaStream_t stream;
    cudaStreamCreate(&stream);                                        // expect-medium {{a stream}} [alloc-in-loop]
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);         // expect-low {{an event}} [alloc-in-loop]
    k<<<1, 256, 0, stream>>>(x, n);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(0, event, 0);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cublasDestroy(handle);
    cudaHostUnregister(pageable);
    cudaFreeHost(staging);
  }
}

void timed(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);  // expect-low {{to time the GPU work}} [alloc-in-loop]
    cudaEventCreate(&end);    // expect-low {{to time the GPU work}} [alloc-in-loop]
    cudaEventRecord(begin);
    k<<<1, 256>>>(x, n);
    cudaEventRecord(end);
    cudaEventSynchronize(end);  // expect-low [sync-in-loop]
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
}

void gated(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i % 5 == 0) {
      float* tmp;
      cudaMalloc(&tmp, n);  // expect-medium [alloc-in-loop]
      k<<<1, 256>>>(tmp, n);
      cudaFree(tmp);
    }
    if (i % 1000 == 0) {
      float* tmp;
      cudaMalloc(&tmp, n);  // expect-low [alloc-in-loop]
      k<<<1, 256>>>(tmp, n);
      cudaFree(tmp);
    }
  }
}

void step(float* x, int n) { k<<<1, 256>>>(x, n); }

void once_an_epoch(float* x, int n, int epochs, int batches) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    float* order;
    cudaMalloc(&order, n);  // expect-medium [alloc-in-loop]
    for (int batch = 0; batch < batches; ++batch) step(x, n);
    cudaFree(order);
  }
}

// expect-path@+5 [alloc-in-loop] alloc-in-loop.cu:162, alloc-in-loop.cu:163, alloc-in-loop.cu:157
void deep(float* x, int n) {
  float* tmp;
  k<<<1, 256>>>(x, n);
  // expect-high@+1 [alloc-in-loop]
  cudaMalloc(&tmp, n);
  cudaFree(tmp);
}

int train() {
  float* x = alloc(1);
  for (int i = 0; i < 1000; ++i)
    deep(x, 1);
}
