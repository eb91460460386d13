// requires: thrust/device_vector.h
// status: partial
// A header that declares thrust's templates ahead, as older releases had them: thrust::pair is an alias by now, and
// device_vector stands in a namespace of the release. Clang finds two of each; the library's are meant.
#include <memory>

namespace thrust {
template <typename T1, typename T2>
class pair;
template <typename T>
class device_allocator;
template <typename T, typename Allocator>
class device_vector;
}  // namespace thrust

class Points {
 public:
  using Vector = thrust::device_vector<float, thrust::device_allocator<float>>;
  using Pairs = thrust::device_vector<thrust::pair<int, int>, thrust::device_allocator<thrust::pair<int, int>>>;
  void step(float x);

 private:
  std::unique_ptr<Vector> points_;
  std::unique_ptr<Pairs> pairs_;
};

#include <thrust/device_vector.h>
#include <thrust/transform.h>

struct Twice {
  __device__ float operator()(float x) const { return 2 * x; }
};

void Points::step(float x) {
  thrust::device_vector<float> given(1);                                                     // expect-high [alloc-in-loop]
  given[0] = x;                                                                              // expect-high [blocking-copy-in-loop]
  thrust::transform(given.begin(), given.end(), points_->begin(), Twice());                  // expect-high [sync-in-loop]
}

void train(Points& points, int steps) {
  for (int i = 0; i < steps; ++i) points.step(0.5f * i);
}
