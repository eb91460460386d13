// A gate behind a virtual function is as rare as what each class answers.
#include <cuda_runtime.h>
#include <memory>

__global__ void k(float* x, int n);

struct Strategy {
  virtual ~Strategy() = default;
  virtual bool should_update(int it) const = 0;
  virtual bool should_prune(int it) const { return false; }
  virtual bool should_wait(int it) const = 0;
  virtual bool open(int it) const { return it % 100 == 0; }  // nobody here overrides it
};
struct Every100 : Strategy {
  bool should_update(int it) const override { return it % 100 == 0; }
  bool should_wait(int it) const override { return it % 100 == 0; }
};
struct Late : Strategy {
  int last = 500;
  void after(int it, float* x, int n) {
    k<<<1, 256>>>(x, n);
    if (should_update(it)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (ends(it)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  bool ends(int iter) const { return iter == last; }
  bool should_update(int it) const override { return it > 500 && it % 200 == 0; }
  bool should_prune(int it) const override { return it % 1000 == 0; }
  bool should_wait(int it) const override { return it > 10; }
};
void train(const Strategy& strategy, std::unique_ptr<Strategy> owned, Late& late, float* x, int n, int steps) {
  for (int it = 0; it < steps; ++it) {
    if (owned && owned->should_update(it)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    late.after(it, x, n);
    k<<<1, 256>>>(x, n);
    if (strategy.should_update(it)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (strategy.should_prune(it)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (strategy.should_wait(it)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (strategy.open(it)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
