// Waiting for an earlier step with some steps in flight keeps the GPU fed: the cure, however the steps are counted.
#include <cuda_runtime.h>
#include <deque>
#include <queue>

__global__ void k(float* x, int n);

// A ring: recorded at one end, waited for at the other.
class Ring {
 public:
  explicit Ring(cudaStream_t s) : s_(s) {
    for (auto& e : done_) cudaEventCreate(&e);
  }
  void push() {
    cudaEventRecord(done_[n_ % 4], s_);
    ++n_;
  }
  void wait_oldest() {
    cudaEventSynchronize(done_[r_ % 4]);
    ++r_;
  }
  int pending() const { return n_ - r_; }

 private:
  cudaStream_t s_;
  cudaEvent_t done_[4];
  int n_ = 0, r_ = 0;
};

void ring_when_full(float* x, int n, int steps, Ring& ring) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    ring.push();
    if (ring.pending() == 4) ring.wait_oldest();
  }
}

// With one step in flight at most, each step waits for itself.
void ring_at_once(float* x, int n, int steps, Ring& ring) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    ring.push();
    ring.wait_oldest();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    ring.push();
    if (ring.pending() > 0) ring.wait_oldest();  // expect-high [sync-in-loop]
  }
}

void counted(float* x, int n, int steps, int most, cudaEvent_t* done, int depth) {
  int head = 0, tail = 0, in_flight = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaEventRecord(done[head], nullptr);
    head = (head + 1) % depth;
    ++in_flight;
    while (in_flight > most) {
      cudaEventSynchronize(done[tail]);
      tail = (tail + 1) % depth;
      --in_flight;
    }
  }
}

constexpr size_t kDepth = 4;

void queued(float* x, int n, int steps, cudaStream_t s) {
  std::deque<cudaEvent_t> running;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEvent_t e;
    cudaEventCreate(&e);  // expect-low [alloc-in-loop]
    cudaEventRecord(e, s);
    running.push_back(e);
    if (running.size() >= kDepth) {
      cudaEventSynchronize(running.front());
      cudaEventDestroy(running.front());  // expect-low [alloc-in-loop]
      running.pop_front();
    }
  }
}

struct Step {
  cudaEvent_t done;
  int number;
};

void queued_steps(float* x, int n, int steps, cudaStream_t s, cudaEvent_t* events) {
  std::queue<Step> running;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(events[i % 8], s);
    running.push({events[i % 8], i});
    while (running.size() > 3) {
      cudaEventSynchronize(running.front().done);
      running.pop();
    }
  }
}

// The queue's front is the step just put in.
void drained(float* x, int n, int steps, cudaStream_t s, cudaEvent_t e) {
  std::deque<cudaEvent_t> running;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(e, s);
    running.push_back(e);
    if (!running.empty()) {
      cudaEventSynchronize(running.front());  // expect-high [sync-in-loop]
      running.pop_front();
    }
  }
}

// A slot of a class is waited for before it is used again.
class Slots {
 public:
  float* acquire() {
    const int i = n_ % 3;
    if (n_ >= 3) cudaEventSynchronize(used_[i]);
    return host_[i];
  }
  void release(cudaStream_t s) {
    cudaEventRecord(used_[n_ % 3], s);
    ++n_;
  }

 private:
  cudaEvent_t used_[3];
  float* host_[3];
  int n_ = 0;
};

void slots(float* x, int n, int steps, cudaStream_t s, Slots& slots) {
  for (int i = 0; i < steps; ++i) {
    slots.acquire()[0] = static_cast<float>(i);
    k<<<1, 256, 0, s>>>(x, n);
    slots.release(s);
  }
}

// An event of one's own class: another object of the pair, and the same one.
class Mark {
 public:
  void record(cudaStream_t s) { cudaEventRecord(event_, s); }
  void wait() { cudaEventSynchronize(event_); }

 private:
  cudaEvent_t event_;
};

void marks(float* x, int n, int steps, cudaStream_t s) {
  Mark pair[2], one;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    pair[i & 1].record(s);
    if (i > 0) pair[(i - 1) & 1].wait();
  }
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    one.record(s);
    one.wait();  // expect-high [sync-in-loop]
  }
}

// Depth says nothing of a stream: all of its work is waited for.
void stream_behind_a_count(float* x, int n, int steps, cudaStream_t s) {
  int launched = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    if (++launched > 2) cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}
