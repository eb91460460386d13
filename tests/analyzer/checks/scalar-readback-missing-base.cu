// A class template over a base of others, whose header is missing, and with it <memory>: its methods keep their calls,
// whatever types of the base they take and whatever members they inherit. The last header declares std::unique_ptr.
// status: partial
#include <cuda_runtime.h>
#include <missing/registration.h>
#include <vector>

struct Core;

template <class P>
class Matching : public missing::Registration<P, float> {
 public:
  using Cloud = typename missing::Registration<P, float>::Cloud;
  using CloudConstPtr = typename Cloud::ConstPtr;
  void set_input(const CloudConstPtr& cloud);
  double linearize(const std::vector<float>& x);
  void align(Cloud& output, int steps);

 private:
  using missing::Registration<P, float>::input_;
  std::unique_ptr<Core> core_;
};

#include <memory>

__global__ void k(float* d);

struct Core {
  float* d;
  void update(const std::vector<float>& v) {
    cudaMemcpy(d, v.data(), v.size() * 4, cudaMemcpyHostToDevice);  // expect-medium [blocking-copy-in-loop]
    k<<<1, 32>>>(d);
  }
  float error() {
    float e;
    k<<<1, 32>>>(d);
    cudaMemcpy(&e, d, 4, cudaMemcpyDeviceToHost);  // expect-high {{fetches 4 bytes}} [scalar-readback]
    return e;
  }
};

template <class P>
void Matching<P>::set_input(const CloudConstPtr& cloud) {
  if (cloud == input_) return;
  missing::Registration<P, float>::set_input(cloud);
  std::vector<float> points(cloud->size());
  core_->update(points);
}

template <class P>
double Matching<P>::linearize(const std::vector<float>& x) {
  return core_->error();
}

template <class P>
void Matching<P>::align(Cloud& output, int steps) {
  std::vector<float> x(output.size());
  for (int i = 0; i < steps; ++i) linearize(x);
}

template class Matching<missing::Point>;
