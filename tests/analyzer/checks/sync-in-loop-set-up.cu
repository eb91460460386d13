// What comes before training: loops that make what they work on are none of training's; a name lowers others by a step.
#include <cuda_runtime.h>
#include <fstream>
#include <vector>

__global__ void convert(float* x, int n);
__global__ void step(float* x, int n);

struct Net {
  std::vector<float*> layers;
  explicit Net(int count, const float* host) {
    for (int i = 0; i < count; ++i) {
      float* x;
      cudaMalloc(&x, 4096);
      cudaMemcpy(x, host, 4096, cudaMemcpyHostToDevice);
      convert<<<1, 256>>>(x, 1024);
      cudaDeviceSynchronize();
      layers.push_back(x);
    }
  }
};
void load_weights(Net& net, std::ifstream& file) {
  std::vector<float> host(1024);
  for (float* layer : net.layers) {
    file.read(reinterpret_cast<char*>(host.data()), 4096);
    cudaMemcpy(layer, host.data(), 4096, cudaMemcpyHostToDevice);  // expect-low [blocking-copy-in-loop] expect-evidence [blocking-copy-in-loop] {{the loop that trains comes later}}
    convert<<<1, 256>>>(layer, 1024);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}
struct Worker {
  float* x;
};
Worker make_worker(int device) {
  Worker w;
  cudaSetDevice(device);
  cudaMalloc(&w.x, 4096);
  convert<<<1, 256>>>(w.x, 1024);
  cudaDeviceSynchronize();
  return w;
}
// The same in a loop that trains is that loop's.
void load_batch(float* x, const float* host) {
  cudaMemcpy(x, host, 4096, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
  convert<<<1, 256>>>(x, 1024);
}

int main(int argc, char** argv) {
  std::vector<float> host(1024);
  Net net(argc, host.data());
  std::ifstream file(argv[1]);
  load_weights(net, file);
  std::vector<Worker> workers;
  for (int i = 0; i < argc; ++i) workers.push_back(make_worker(i));
  int deviceCount = 0;
  cudaGetDeviceCount(&deviceCount);
  for (int d = 0; d < deviceCount; ++d) {
    convert<<<1, 256>>>(workers[d].x, 1024);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop] expect-evidence [sync-in-loop] {{arrays of its own}}
  }
  for (int i = 0; i < 100000; ++i) {
    load_batch(net.layers[0], host.data());
    step<<<1, 256>>>(net.layers[0], 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
