// A row of launches that a local lambda makes, one for each array of parameters.
#include <cuda_runtime.h>

__global__ void sgd(float* w, const float* dw, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= rate * dw[i];
}

struct Net {
  float *w1, *b1, *w2, *b2, *dw1, *db1, *dw2, *db2, *x, *h1, *h2, *h3, *y;

  void update(float rate) {
    auto update_one = [&](float* w, const float* dw, int n) { sgd<<<(n + 255) / 256, 256>>>(w, dw, rate, n); };
    update_one(w1, dw1, 1000);  // expect-high [per-tensor-loop] {{these 4 launches ('update_one')}}
    update_one(b1, db1, 10);
    update_one(w2, dw2, 1000);
    update_one(b2, db2, 10);
  }

  // Each works on what the one before has made.
  void forward(float rate) {
    auto layer = [&](float* out, const float* in) { sgd<<<4, 256>>>(out, in, rate, 1000); };
    layer(h1, x);  // expect-high [unfused-elementwise-chain] {{4 elementwise kernels in a row ('layer')}}
    layer(h2, h1);
    layer(h3, h2);
    layer(y, h3);
  }

  // Whichever of the two lambdas the variable holds, each call updates one tensor.
  void either(float rate, bool fast) {
    void (*step)(float*, const float*) = [](float* w, const float* dw) { sgd<<<1, 32>>>(w, dw, 0.1f, 10); };
    if (fast) step = [](float* w, const float* dw) { sgd<<<2, 64>>>(w, dw, 0.1f, 10); };
    step(w1, dw1);  // expect-high {{these 4 launches}} [per-tensor-loop]
    step(b1, db1);
    step(w2, dw2);
    step(b2, db2);
  }
};

int main() {
  Net net;
  for (int i = 0; i < 1000; ++i) {
    net.forward(0.1f);
    net.update(0.1f);
    net.either(0.1f, i > 3);
  }
}
