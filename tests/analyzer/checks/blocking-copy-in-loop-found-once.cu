// A function that a condition calls until the value that it asks for is there runs once: if (threshold == 0) measure();
// A search in it is none of the loop's own work.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void kernel(float* p) { p[threadIdx.x] += 1; }
int status_of(const float* h);

static size_t threshold = 0;
static int status = 0, rows_left = 0;

void fetch(float* p, float* h) {
  kernel<<<1, 32>>>(p);
  cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
}

void measure(float* p, float* h) {
  size_t dim = 16;
  while (true) {
    fetch(p, h);
    if (h[0] > 3) break;
    dim += 16;
  }
  threshold = dim * dim;
}

// What a call returns may be 0 each time.
void run(float* p, float* h) {
  cudaMemcpy(h, p, 64, cudaMemcpyDeviceToHost);
  status = status_of(h);
}

// Others count it down again.
void refill(float* p, float* h) {
  cudaMemcpy(h, p, 32, cudaMemcpyDeviceToHost);
  rows_left = static_cast<int>(h[0]) + 4;
}
void take_row() { --rows_left; }

struct Net {
  float *p, h[32];
  bool tuned = false;
  int mode = 0, kind = 0;

  void tune() {
    cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost);
    tuned = true;
  }
  void choose() {
    cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost);
    mode = h[0] > 1 ? 1 : 2;
  }
  // Where it returns early, it is asked again.
  void ask() {
    cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost);
    if (h[0] < 1) return;
    kind = 1;
  }
  void step(Net& other) {
    if (!tuned) tune();
    if (mode == 0) choose();
    if (kind == 0) ask();  // expect-high [branch-on-device]
    if (!tuned) other.measure();  // expect-high [scalar-readback]
    kernel<<<1, 32>>>(p);
  }
  void measure() {
    cudaMemcpy(h, p, 16, cudaMemcpyDeviceToHost);
    tuned = true;
  }
};

int main() {
  Net net, other;
  cudaMalloc(&net.p, 128);
  cudaMalloc(&other.p, 128);
  for (int i = 0; i < 1000; ++i) {
    if (threshold == 0) measure(net.p, net.h);
    if (status == 0) run(net.p, net.h);  // expect-high [scalar-readback]
    if (rows_left == 0) refill(net.p, net.h);  // expect-high [scalar-readback]
    take_row();
    fetch(net.p, net.h);
    net.step(other);
    printf("%f\n", net.h[0]);
  }
}
