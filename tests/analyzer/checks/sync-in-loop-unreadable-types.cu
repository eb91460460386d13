// Types that are not in sight, as where a third party's header is missing, take nothing from the calls around them.
// status: partial
#include <cuda_runtime.h>

__global__ void k(float* x) { x[threadIdx.x] += 1; }

struct Net {
  float* w;
  void step(int n);
  float loss(const MissingTensor& t);
};

// Called with an argument of an unknown type.
void Net::step(int n) {
  k<<<1, 32>>>(w);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

// Declared with one.
float Net::loss(const MissingTensor& t) {
  k<<<1, 32>>>(w);
  float h;
  cudaMemcpy(&h, w, 4, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
  return h;
}

void update(Net& net, missing::expected<int> e) {
  k<<<1, 32>>>(net.w);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

void plain(Net& net, int a, int b) {
  k<<<1, 32>>>(net.w);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
}

// Of two that the name could mean, neither.
void either(Net& net, int a) { cudaDeviceSynchronize(); }
void either(Net& net, float* a) { cudaDeviceSynchronize(); }

int main() {
  Net net;
  MissingLoader loader("x");
  for (int i = 0; i < 1000; ++i) {
    auto batch = loader.next();
    net.step(batch.size());
    float l = net.loss(batch);
    update(net, missing_call(batch));
    plain(net, batch.size(), 3);
    either(net, batch.first());
    cudaMemcpy(net.w, batch.data(), batch.size() * 4, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
  }
}
