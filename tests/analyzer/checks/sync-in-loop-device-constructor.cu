// nvcc lets a host template call what is marked for the device alone: a functor's constructor, most often. The function
// around it is read all the same.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

template <typename T>
struct Prox {
  T rho;
  __device__ Prox(T rho) : rho(rho) {}
  __device__ T operator()(T x) const { return x * rho; }
};

template <typename T>
void prox(const thrust::device_vector<T>& in, T rho, thrust::device_vector<T>& out) {
  thrust::transform(in.begin(), in.end(), out.begin(), Prox<T>(rho));
}

int main() {
  thrust::device_vector<float> x(1 << 20), y(1 << 20);
  for (int k = 0; k < 1000; ++k) {
    prox(x, 0.5f, y);  // expect-high [sync-in-loop]
    prox(y, 0.1f, x);  // expect-high [sync-in-loop]
  }
}
