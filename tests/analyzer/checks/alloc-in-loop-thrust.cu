// requires: thrust/device_vector.h
// Vectors of the device.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/universal_vector.h>
#include <utility>

__global__ void k(float* x, int n);

float* raw(thrust::device_vector<float>& v) { return thrust::raw_pointer_cast(v.data()); }

void helper(int n) {
  thrust::device_vector<float> tmp(n);  // expect-high {{allocates memory in its constructor and waits}} [alloc-in-loop]
  k<<<1, 256>>>(raw(tmp), n);
}

void calls_it_each_step(int n, int steps) {
  for (int i = 0; i < steps; ++i) helper(n);
}

struct Layer {
  thrust::device_vector<float> out;
  void forward(int n) {
    out.resize(n);
    k<<<1, 256>>>(raw(out), n);
  }
};

void same_size_each_step(Layer& layer, int n, int steps) {
  for (int i = 0; i < steps; ++i) layer.forward(n);
}

void kinds(thrust::device_vector<float>& kept, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    thrust::device_vector<float> empty;
    thrust::device_vector<float> later;
    later.resize(n);                             // expect-high [alloc-in-loop]
    thrust::device_vector<float> copy(kept);     // expect-high [alloc-in-loop]
    thrust::universal_vector<float> managed(n);  // expect-high [alloc-in-loop]
    thrust::device_vector<float> moved = std::move(copy);
    kept.push_back(1.0f);                        // expect-low {{must grow}} [alloc-in-loop]
    kept.erase(kept.begin());                    // expect-high [alloc-in-loop]
    kept.erase(kept.begin() + 1, kept.end());
    kept.resize(n);
    thrust::host_vector<float> host(n);
    k<<<1, 256>>>(raw(moved), n);
    k<<<1, 256>>>(raw(later), n);
  }
}

template <typename T>
struct Pool : thrust::device_allocator<T> {};

void own_allocator(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    thrust::device_vector<float, Pool<float>> tmp(n);
    k<<<1, 256>>>(thrust::raw_pointer_cast(tmp.data()), n);
  }
}

thrust::device_vector<float> made_once(int n) {
  thrust::device_vector<float> v(n);
  return v;
}

void before_the_loop(int n, int steps) {
  thrust::device_vector<float> v = made_once(n);
  for (int i = 0; i < steps; ++i) k<<<1, 256>>>(raw(v), n);
}
