// The cure that the rule itself advises: wait on an event recorded a step (or more) earlier.
#include <cuda_runtime.h>
#include <cstring>

__global__ void k(float* x, int n);

// An event waited for one step late, with two buffers: the cure, not the disease.
void double_buffered(float** x, float** pinned, int n, int steps, cudaStream_t s) {
  cudaEvent_t done[2];
  for (auto& e : done) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  for (int i = 0; i < steps; ++i) {
    const int slot = i % 2;
    if (i >= 2) cudaEventSynchronize(done[slot]);
    memset(pinned[slot], i, n * sizeof(float));
    cudaMemcpyAsync(x[slot], pinned[slot], n * sizeof(float), cudaMemcpyHostToDevice, s);
    cudaEventRecord(done[slot], s);
    k<<<1, 256, 0, s>>>(x[slot], n);
  }
}


// One step late, by two events in turn.
void one_late(float* x, int n, int steps, cudaStream_t s, cudaEvent_t previous, cudaEvent_t current) {
  for (int i = 0; i < steps; ++i) {
    if (i > 0) cudaEventSynchronize(previous);
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(current, s);
    cudaEvent_t t = previous;
    previous = current;
    current = t;
  }
}

// At the top of the loop, recorded at its end: nothing runs between. That one drains the queue.
void not_late(float* x, int n, int steps, cudaStream_t s, cudaEvent_t e) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(e, s);
    cudaEventSynchronize(e);  // expect-high [sync-in-loop]
  }
}

// Two slots: this step's is recorded, then the other one's is waited for.
void other_slot(float* x, int n, int steps, cudaStream_t s, cudaEvent_t* done) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(done[i & 1], s);
    if (i > 0) cudaEventSynchronize(done[(i - 1) & 1]);
  }
}

// The same slot under the same name: no step late.
void same_slot(float* x, int n, int steps, cudaStream_t s, cudaEvent_t* done) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(done[i & 1], s);
    cudaEventSynchronize(done[i & 1]);  // expect-high [sync-in-loop]
  }
}
