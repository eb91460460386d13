// A member of a class template is a function for each type. Each of its calls is a finding, whichever type has it and
// however many types there are. None of these calls asks for the asynchronous copy.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void build_tree(unsigned* levels, uint2* ranges);
__global__ void gravity(const uint2* ranges, float4* bodies, float4* speeds);

template <class T>
struct Mirror {
  T *host = nullptr, *device = nullptr;
  int size = 0;

  void allocate(int count) {
    size = count;
    host = static_cast<T*>(malloc(size * sizeof(T)));
    cudaMalloc(reinterpret_cast<void**>(&device), size * sizeof(T));
  }
  void fetch(bool wait = true) { fetch(size, wait); }
  void fetch(int count, bool wait = true) {
    if (!wait) {
      cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
      return;
    }
    // expect-high@+2 [blocking-copy-in-loop]
    // expect-calls@+1 [blocking-copy-in-loop] blocking-copy-in-loop-class-template.cu:42, blocking-copy-in-loop-class-template.cu:48, blocking-copy-in-loop-class-template.cu:49, blocking-copy-in-loop-class-template.cu:57
    cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
  }
};

struct Bodies {
  Mirror<unsigned> levels;
  Mirror<uint2> ranges;
  Mirror<float4> places, speeds;
  unsigned depth = 0;
  float energy = 0;

  void build() {
    build_tree<<<1, 256>>>(levels.device, ranges.device);
    levels.fetch(100);
    ranges.fetch();
    depth = levels.host[0] + ranges.host[0].x;
  }
  void step() {
    build();
    gravity<<<1, 256>>>(ranges.device, places.device, speeds.device);
    places.fetch();
    speeds.fetch();
    energy += places.host[0].x * speeds.host[0].x;
  }
};

int main() {
  Bodies bodies;
  bodies.levels.allocate(4096), bodies.ranges.allocate(4096), bodies.places.allocate(4096), bodies.speeds.allocate(4096);
  for (int i = 0; i < 1000; ++i) bodies.step();
  return bodies.energy > 0;
}
