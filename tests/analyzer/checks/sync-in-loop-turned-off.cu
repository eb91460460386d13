// A call that gives a parameter a constant runs some branches and not others.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

enum Where { kHost, kDevice };

struct Buffer {
  float* host = nullptr;
  float* device = nullptr;
  int n = 0;
  float* to(Where where) {
    float* at = nullptr;
    if (where == kHost) {
      cudaMemcpy(host, device, 4 * n, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop] expect-calls [blocking-copy-in-loop] sync-in-loop-turned-off.cu:32
      at = host;
    } else {
      cudaMemcpy(device, host, 4 * n, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop] expect-calls [blocking-copy-in-loop] sync-in-loop-turned-off.cu:30
      at = device;
    }
    return at;
  }
};

float last(Buffer& out) { return out.host[0]; }

float moves(Buffer& in, Buffer& out, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    in.to(kDevice);
    k<<<1, 256>>>(in.device, in.n);
    out.to(kHost);
    sum += last(out);
  }
  return sum;
}

// Every caller says no: it never runs. The second has one caller that says yes, and the third one that nobody knows.
void stepped(float* x, int n, bool wait) {
  k<<<1, 256>>>(x, n);
  if (wait) cudaDeviceSynchronize();
}
void asked(float* x, int n, bool wait) {
  k<<<1, 256>>>(x, n);
  if (!wait) return;
  cudaDeviceSynchronize();  // expect-high [sync-in-loop] expect-calls [sync-in-loop] sync-in-loop-turned-off.cu:80
}
void unknown(float* x, int n, bool wait) {
  k<<<1, 256>>>(x, n);
  if (wait) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
// It is given false, and turns itself on.
void turned(float* x, int n, bool wait) {
  k<<<1, 256>>>(x, n);
  if (n > 1000) wait = true;
  if (wait) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
// The function has the loop, and one caller lets it wait.
void loops(float* x, int n, int steps, bool wait) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (wait) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
void loops_on(float* x, int n, int steps, bool wait) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (wait) cudaDeviceSynchronize();
  }
}
// A default argument is one, too.
void wrapped(bool wait = false) {
  if (wait) cudaDeviceSynchronize();
}

void trains(float* x, int n, int steps, bool chosen) {
  for (int i = 0; i < steps; ++i) {
    stepped(x, n, false);
    asked(x, n, false);
    asked(x, n, true);
    unknown(x, n, chosen);
    turned(x, n, false);
    wrapped();
  }
  loops(x, n, steps, false);
  loops(x, n, steps, true);
  loops_on(x, n, steps, false);
}
