// Each of these waits is needed: what parts it from the one before is not known to be harmless.
#include <cuda_runtime.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

__global__ void k(float* x, int n);

// The second wait is what makes host[0] valid.
float after_success(float* device, float* host, cudaStream_t s, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    cudaError_t status = cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    if (status == cudaSuccess) cudaMemcpyAsync(host, device, 4096, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    sum += host[0];
  }
  return sum;
}

// One text, another stream each time.
struct Worker {
  cudaStream_t stream;
  float* device;
  Worker* next;
};
void another_stream(Worker* w, std::vector<Worker>& all, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, w->stream>>>(w->device, 1024);
    cudaStreamSynchronize(w->stream);  // expect-high [sync-in-loop]
    w = w->next;
    cudaStreamSynchronize(w->stream);  // expect-high [sync-in-loop]
    Worker* p = &all[2];
    cudaStreamSynchronize(p->stream);  // expect-high [sync-in-loop]
    p++;
    cudaStreamSynchronize(p->stream);  // expect-high [sync-in-loop]
  }
}
void by_another_name(cudaStream_t* slot, cudaStream_t other, float* x, int steps) {
  cudaStream_t& s = *slot;
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(x, 1024);
    k<<<4, 256, 0, other>>>(x, 1024);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    *slot = other;
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}
class Pipeline {
 public:
  void run(float* x, int steps) {
    for (int i = 0; i < steps; ++i) {
      k<<<4, 256, 0, current_>>>(x, 1024);
      k<<<4, 256, 0, other_>>>(x, 1024);
      cudaStreamSynchronize(current_);  // expect-high [sync-in-loop]
      flip();
      cudaStreamSynchronize(current_);  // expect-high [sync-in-loop]
    }
  }

 private:
  void flip() {
    cudaStream_t t = current_;
    current_ = other_;
    other_ = t;
  }
  cudaStream_t current_, other_;
};
void go(Pipeline& p, float* x) { p.run(x, 1000); }

// What the library makes and destroys enqueues.
struct Job {
  float* out;
  cudaStream_t s;
  Job(float* device, cudaStream_t stream) : out(device), s(stream) { k<<<4, 256, 0, s>>>(device, 1024); }
  ~Job() { k<<<4, 256, 0, s>>>(out, 1024); }
};
void owners(float* device, cudaStream_t s, int steps) {
  std::map<int, std::unique_ptr<Job>> jobs;
  std::vector<Job> list;
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    auto job = std::make_unique<Job>(device, s);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    list.emplace_back(device, s);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    jobs.erase(i - 1);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    list.clear();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

// A plug-in overrides it.
struct Hook {
  virtual ~Hook() = default;
  virtual void after_step(cudaStream_t) {}
};
void plugged(Hook& hook, float* device, cudaStream_t s, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    hook.after_step(s);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

// Another build has other code here.
void configured(float* device, float* host, cudaStream_t s, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
#ifdef WITH_COPY
    cudaMemcpyAsync(host, device, 4096, cudaMemcpyDeviceToHost, s);
#endif
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

// A loop that waits for another thread lets it enqueue.
void let_others(float* device, cudaStream_t s, std::atomic<int>& turn, volatile int* flag, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    for (int n = 0; n < 1000 && turn == i; ++n) {
    }
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    for (int n = 0; *flag == 0; ++n) {
    }
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

// And these are not: numbers, text and the clock.
struct Report {
  int step;
  double seconds;
};
inline bool failed(cudaError_t e) {
  if (e == cudaSuccess) return false;
  std::cerr << "CUDA: " << cudaGetErrorString(e) << std::endl;
  return true;
}
float plain(float* device, const float* host, cudaStream_t s, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    if (failed(cudaStreamSynchronize(s))) return -1;  // expect-high [sync-in-loop]
    Report report{};
    report.step = i;
    for (int j = 0; j < 4; ++j) sum += host[j];
    if (sum < 0) continue;
    std::cout << "step " << i << ": " << sum << '\n';
    if (failed(cudaStreamSynchronize(s))) return -1;  // expect-high [redundant-sync]
  }
  return sum;
}

// Of one text, side by side: the second goes. What looks otherwise, or stands in an if of its own, is for the reader.
#define CHECK(call)                     \
  do {                                  \
    if ((call) != cudaSuccess) abort(); \
  } while (0)
#define WAIT(s) cudaStreamSynchronize(s)
void alike(float* device, cudaStream_t s, cudaStream_t t, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256, 0, s>>>(device, 1024);
    CHECK(cudaStreamSynchronize(s));  // expect-high [sync-in-loop]
    CHECK(cudaStreamSynchronize(s));  // expect-high [redundant-sync] deleted by fix
    cudaStreamSynchronize(s);         // expect-high [redundant-sync]
    CHECK(cudaStreamSynchronize(s));  // expect-high [redundant-sync]
    if (i % 3 == 0)
      CHECK(cudaStreamSynchronize(s));  // expect-medium [redundant-sync]
    k<<<4, 256, 0, s>>>(device, 1024);
    WAIT(s);  // expect-high [sync-in-loop]
    WAIT(s);  // expect-high [redundant-sync]
    k<<<4, 256, 0, t>>>(device, 1024);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    {
      cudaStream_t s = t;
      cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    }
  }
}
