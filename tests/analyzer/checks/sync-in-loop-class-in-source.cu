// Nobody in sight calls the functions that wait. Code elsewhere may call the free one, and the virtual one by a base. The
// class Block has no name elsewhere, and this file uses it: what it does not call of it, nobody calls.
#include <cuda_runtime.h>

__global__ void scale(float* x, float by);

struct Callback {
  virtual ~Callback() = default;
  virtual void frame() = 0;
};

class Block {
 public:
  void halve(float* x) { scale<<<1, 256>>>(x, 0.5f); }
  void show(float* x) {
    scale<<<1, 256>>>(x, 2);
    cudaDeviceSynchronize();
  }
};

// Whoever has an address calls it.
struct Registrar {
  Registrar(const char* name, void (*function)(float*));
};
struct Steps {
  static void none(float* x) { scale<<<1, 256>>>(x, 1); }
  static void step(float* x) {
    scale<<<1, 256>>>(x, 2);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
};
static Registrar steps("step", &Steps::step);
void nothing(float* x) { Steps::none(x); }

class Viewer : public Callback {
 public:
  void frame() override {
    Block block;
    block.halve(x_);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }

 private:
  float* x_ = nullptr;
};

void scale_all(float* x) {
  scale<<<1, 256>>>(x, 2);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
}
