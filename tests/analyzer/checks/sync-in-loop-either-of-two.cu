// `if (a_) ...; else if (b_) ...`: one of two algorithms runs in every step. That the other is absent is no first use,
// unless the branch makes it.
#include <memory>

__global__ void k(float* p, int n);

struct Fast {
  float* p;
  void run(int n) { k<<<1, 256>>>(p, n); }
};

struct Exact {
  float* p;
  void run(int n) {
    k<<<1, 256>>>(p, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};

struct Trainer {
  std::unique_ptr<Fast> fast_;
  std::unique_ptr<Exact> exact_;
  void step(int n) {
    if (fast_) {
      fast_->run(n);
    } else if (exact_) {
      exact_->run(n);
    }
  }
};

void either(Trainer& trainer, int n, int steps) {
  for (int i = 0; i < steps; ++i) trainer.step(n);
}

struct Loader;
struct Lazy {
  std::unique_ptr<Fast> fast_;
  void make(int n) {
    fast_ = std::make_unique<Fast>();
    cudaMalloc(&fast_->p, n);
    cudaDeviceSynchronize();
  }
  void made_by_a_method(int n) {
    if (!fast_) make(n);
    fast_->run(n);
  }
  void made_by_who_gets_this(Loader& loader, int n);
};

struct Loader {
  void fill(Lazy* lazy, int n) { lazy->make(n); }
  void fill_reference(Lazy& lazy, int n) { lazy.make(n); }
};

void Lazy::made_by_who_gets_this(Loader& loader, int n) {
  if (!fast_) loader.fill(this, n);
  if (!fast_) loader.fill_reference(*this, n);
  fast_->run(n);
}

void lazily(Lazy& lazy, Loader& loader, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    lazy.made_by_a_method(n);
    lazy.made_by_who_gets_this(loader, n);
  }
}
