// Objects that hold a device_vector are copied with it, though nobody wrote how.
#include <thrust/device_vector.h>

#include <utility>
#include <vector>

__global__ void forward(float* y, const float* x, int n);

struct Tensor {
  explicit Tensor(int n = 0) : n(n) {}
  float* data() { return thrust::raw_pointer_cast(v.data()); }
  void allocate() { v.resize(n); }
  int n;
  thrust::device_vector<float> v;
};

struct Layer {
  Layer() { out.allocate(); }
  Tensor run(Tensor& in) {
    forward<<<16, 256>>>(out.data(), in.data(), 4096);
    return out;  // expect-high [alloc-in-loop]
  }
  Tensor& same(Tensor& in) {
    forward<<<16, 256>>>(out.data(), in.data(), 4096);
    return out;
  }
  Tensor made(Tensor& in) {
    Tensor gradient(4096);
    gradient.allocate();  // expect-high [alloc-in-loop]
    forward<<<16, 256>>>(gradient.data(), in.data(), 4096);
    return gradient;
  }
  Tensor out{4096};
};

void by_value(Tensor t) { forward<<<16, 256>>>(t.data(), t.data(), 4096); }
void by_reference(Tensor& t) { forward<<<16, 256>>>(t.data(), t.data(), 4096); }
thrust::device_vector<float> give(int n);

int main() {
  Layer layer;
  Tensor x(4096), kept(4096), other(4096);
  x.allocate();
  thrust::device_vector<float> a(4096), b(4096);
  for (int i = 0; i < 10000; ++i) {
    Tensor y = layer.run(x);
    Tensor z = y;  // expect-high [alloc-in-loop]
    kept = z;      // expect-high [sync-in-loop]
    by_value(z);   // expect-high [alloc-in-loop]
    by_reference(z);
    Tensor moved = std::move(z);
    other = std::move(moved);
    Tensor& same = layer.same(other);
    other = layer.made(same);
    b = a;  // expect-high [sync-in-loop]
    a = std::move(b);
    b = give(4096);
  }
}
