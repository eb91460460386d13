// A stream that carries nothing but copies: waiting for what was asked for an iteration ago stalls no kernel.
#include <cuda_runtime.h>

__global__ void train(const float* x, int n);

struct Loader {
  cudaStream_t copies;
  float *host[2], *device[2];
  int turn = 0;

  void start(int n) {
    for (int i = 0; i < n; ++i) host[turn][i] = i;
    cudaMemcpyAsync(device[turn], host[turn], n * sizeof(float), cudaMemcpyHostToDevice, copies);
  }
  float* finish() {
    cudaStreamSynchronize(copies);
    turn = 1 - turn;
    return device[1 - turn];
  }
};

void prefetched(Loader& loader, int n, int steps, cudaStream_t compute) {
  for (int i = 0; i < 2; ++i) {
    cudaMallocHost(&loader.host[i], n * sizeof(float));
    cudaMalloc(&loader.device[i], n * sizeof(float));
  }
  loader.start(n);
  for (int step = 0; step < steps; ++step) {
    const float* x = loader.finish();
    loader.start(n);
    train<<<n / 256, 256, 0, compute>>>(x, n);
  }
}

// The same through a helper that is handed the stream.
struct Batches {
  cudaStream_t copies;
  float *host, *device;
  static void upload(float* to, const float* from, int n, cudaStream_t stream) {
    cudaMemcpyAsync(to, from, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  }
};
void through_a_helper(Batches& b, int n, int steps, cudaStream_t compute) {
  cudaMallocHost(&b.host, n * sizeof(float));
  Batches::upload(b.device, b.host, n, b.copies);
  for (int step = 0; step < steps; ++step) {
    cudaStreamSynchronize(b.copies);
    Batches::upload(b.device + (step % 2) * n, b.host, n, b.copies);
    train<<<n / 256, 256, 0, compute>>>(b.device, n);
  }
}

// Asked for and waited for in the same iteration: the copy hides behind nothing.
struct Eager {
  cudaStream_t copies;
  float *host, *device;
};
void eager(Eager& loader, int n, int steps, cudaStream_t compute) {
  cudaMallocHost(&loader.host, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(loader.device, loader.host, n * sizeof(float), cudaMemcpyHostToDevice, loader.copies);
    cudaStreamSynchronize(loader.copies);  // expect-high [sync-in-loop]
    train<<<n / 256, 256, 0, compute>>>(loader.device, n);
  }
}

// The same shape, but kernels run on that stream too.
struct Shared {
  cudaStream_t stream;
  float *host, *device;
};
void shared(Shared& s, int n, int steps) {
  cudaMallocHost(&s.host, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaStreamSynchronize(s.stream);  // expect-high [sync-in-loop]
    cudaMemcpyAsync(s.device, s.host, n * sizeof(float), cudaMemcpyHostToDevice, s.stream);
    train<<<n / 256, 256, 0, s.stream>>>(s.device, n);
  }
}

// A wait in a destructor, at the end of each iteration.
struct Scoped {
  cudaStream_t stream;
  ~Scoped() { cudaStreamSynchronize(stream); }
};
void scoped(float* x, int n, int steps, cudaStream_t compute) {
  for (int step = 0; step < steps; ++step) {
    Scoped scoped{compute};  // expect-high [sync-in-loop]
    train<<<n / 256, 256, 0, compute>>>(x, n);
  }
}
