// What is due at certain steps runs once for each entry of a schedule.
#include <cuda_runtime.h>
#include <vector>

__global__ void step(float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] += 1;
}
struct Trainer {
  std::vector<int> due;
  int now = 0;
  void rebuild(float* w) {
    step<<<4, 256>>>(w, 1024);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
  void update(float* w) {
    while (!due.empty() && due.back() <= now) {
      rebuild(w);
      due.pop_back();
    }
  }
};

void train(Trainer& trainer, float* w, const int* milestones, int count, int steps) {
  int next = 0;
  for (trainer.now = 0; trainer.now < steps; ++trainer.now) {
    step<<<4, 256>>>(w, 1024);
    trainer.update(w);
    const int now = trainer.now;
    if (next < count && milestones[next] == now) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      ++next;
    }
  }
}
// A queue of work is no schedule, and neither are two lists that are merged.
void work(std::vector<int>& queue, float* w) {
  while (!queue.empty() && queue.back() != 0) {
    step<<<4, 256>>>(w, queue.back());
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    queue.pop_back();
  }
}
void merge(const int* a, const int* b, int n, float* w) {
  int i = 0, j = 0;
  while (i < n && j < n) {
    if (a[i] <= b[j]) {
      step<<<4, 256>>>(w, a[i]);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      ++i;
    } else {
      ++j;
    }
  }
}

int main(int argc, char**) {
  float* w;
  cudaMalloc(&w, 4096);
  Trainer trainer{{3, 2, 1}};
  std::vector<int> milestones{1, 2, 3};
  train(trainer, w, milestones.data(), 3, 1000);
  work(milestones, w);
  merge(milestones.data(), trainer.due.data(), argc, w);
}
