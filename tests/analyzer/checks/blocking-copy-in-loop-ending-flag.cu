// A copy under a flag that ends the loop is made once: the loop's condition, or a break, asks for the same flag.
#include <cuda_runtime.h>

#include <atomic>

__global__ void step(float* weights);
float change(int iteration);
void save(const float* host);

void by_break(float* weights, float* host, int n, bool saves) {
  bool done = false;
  for (int i = 0; i < n; ++i) {
    step<<<4, 256>>>(weights);
    if ((i == n - 1 || done) && saves) {
      cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);
      save(host);
    }
    if (done) break;
    if (change(i) < 1e-3f) done = true;
  }
}

void by_condition(float* weights, float* host, int n) {
  bool done = false;
  for (int i = 0; i < n && !done; ++i) {
    step<<<4, 256>>>(weights);
    done = change(i) < 1e-3f;
    if (done) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);
  }
}

void by_condition_behind(float* weights, float* host, int n) {
  int going_on = 1, i = 0;
  do {
    step<<<4, 256>>>(weights);
    if (change(i) < 1e-3f) going_on = 0;
    if (going_on == 0 || i == n - 1) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);
    ++i;
  } while (going_on && i < n);
}

void by_break_before(float* weights, float* host, std::atomic<bool>* asked) {
  std::atomic<bool> stopping{false};
  for (;;) {
    if (stopping.load()) break;
    step<<<4, 256>>>(weights);
    if (change(0) < 1e-3f) stopping = true;
    if (stopping) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);
  }
}

void of_one_iteration(float* weights, float* host, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<4, 256>>>(weights);
    const bool done = change(i) < 1e-3f;
    if (done) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);
    if (done) break;
  }
}

// It ends nothing.
void ends_nothing(float* weights, float* host, int n) {
  bool ready = false;
  for (int i = 0; i < n; ++i) {
    step<<<4, 256>>>(weights);
    if (ready) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    if (change(i) < 1e-3f) ready = !ready;
  }
}

// The copies run while the loop goes on.
void goes_on(float* weights, float* host, int n) {
  bool more = true;
  for (int i = 0; more; ++i) {
    step<<<4, 256>>>(weights);
    more = i < n;
    if (more) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}

// Turned back before anybody asks, or never asked for where the iteration goes on.
void turned_back(float* weights, float* host, int n) {
  bool done = false;
  for (int i = 0; i < n; ++i) {
    step<<<4, 256>>>(weights);
    done = change(i) < 1e-3f;
    if (done) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    if (i < n / 2) done = false;
    if (done) break;
  }
}
void skipped(float* weights, float* host, int n) {
  bool done = false;
  for (int i = 0; i < n; ++i) {
    step<<<4, 256>>>(weights);
    if (change(i) < 1e-3f) done = true;
    if (done) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    if (change(i) > 1) continue;
    if (done) break;
  }
}

// It ends the inner loop, so it runs once for each iteration of the outer one, as what stands at the end of an epoch.
void ends_inner(float* weights, float* host, int n) {
  for (int i = 0; i < n; ++i) {
    bool done = false;
    while (!done) {
      step<<<4, 256>>>(weights);
      done = change(i) < 1e-3f;
      if (done) cudaMemcpy(host, weights, 4096, cudaMemcpyDeviceToHost);  // expect-medium [blocking-copy-in-loop]
    }
  }
}

int main() {
  float* weights = nullptr;
  float host[1024];
  cudaMalloc(&weights, 4096);
  by_break(weights, host, 1000, true);
  by_condition(weights, host, 1000);
  by_condition_behind(weights, host, 1000);
  by_break_before(weights, host, nullptr);
  of_one_iteration(weights, host, 1000);
  ends_nothing(weights, host, 1000);
  goes_on(weights, host, 1000);
  turned_back(weights, host, 1000);
  skipped(weights, host, 1000);
  ends_inner(weights, host, 1000);
}
