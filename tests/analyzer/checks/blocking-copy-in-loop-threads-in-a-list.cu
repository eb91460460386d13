// Threads that a list is filled with and that are joined in the same iteration: what they run, runs each iteration.
// That the list itself is constructed with a size starts none of them.
#include <thread>
#include <utility>
#include <vector>

__global__ void k(float* p, int n);

struct Worker {
  float *host, *device;
  int count, steps;
  void load(int part) {
    cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice);
  }
  void train(int part) {
    load(part);  // expect-high [blocking-copy-in-loop]
    for (int i = 0; i < steps; ++i) k<<<1, 256>>>(device, count);
  }
  void write_back() { cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost); }
};

void episodes(std::vector<Worker*>& workers, int episodes) {
  std::vector<std::thread> threads(workers.size());
  for (int episode = 0; episode < episodes; ++episode) {
    for (int i = 0; i < workers.size(); ++i) threads[i] = std::thread(&Worker::train, workers[i], episode);
    for (int i = 0; i < workers.size(); ++i) threads[i].join();
  }
  for (int i = 0; i < workers.size(); ++i) threads[i] = std::thread(&Worker::write_back, workers[i]);
  for (auto& thread : threads) thread.join();
}
