// Code that sets the flag at which the loop ends, or returns what ends it, runs in one iteration of the loop.
#include <cuda_runtime.h>

#include <atomic>

int next_key();
__global__ void train(float* x) { x[threadIdx.x] *= 2; }

static float* weights;
static bool running = true;
static std::atomic<bool> stopped{false};

static void release() { cudaFree(weights); }

static void on_key(int key) {
  switch (key) {
    case 'q':
      running = false;
      release();
      return;
    case 's':
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      break;
  }
}
void by_global() {
  while (running) {
    train<<<1, 256>>>(weights);
    on_key(next_key());
  }
}

static void quit() {
  cudaDeviceSynchronize();
  cudaFree(weights);
  stopped.store(true);
}
void by_atomic() {
  for (;;) {
    if (stopped.load()) break;
    train<<<1, 256>>>(weights);
    if (next_key() == 'q') quit();
  }
}

struct App {
  float* x;
  int total, at = 0;
  bool over = false;
  void close() {
    cudaDeviceSynchronize();
    cudaFree(x);
    over = true;
  }
  void tick() {
    train<<<1, 256>>>(x);
    if (++at >= total) close();
  }
  void run() {
    while (!over) tick();
  }
};

struct Session {
  float* x;
  bool tick() {
    if (next_key() == 'q') {
      cudaDeviceSynchronize();
      cudaFree(x);
      return false;
    }
    train<<<1, 256>>>(x);
    if (next_key() == 's') {
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      return true;
    }
    return true;
  }
};
void by_result(Session& session) {
  while (session.tick()) {
  }
}

// The flag is set back in the loop.
struct Paused {
  float* x;
  bool paused = false;
  void pause() {
    cudaDeviceSynchronize();
    paused = true;
  }
  void run() {
    while (!paused) {
      train<<<1, 256>>>(x);
      if (next_key() == 'p') pause();  // expect-high [sync-in-loop]
      if (next_key() == 'r') paused = false;
    }
  }
};

// Not every path through the branch ends the loop.
struct Mixed {
  float* x;
  bool tick() {
    if (next_key() != 0) {
      if (next_key() == 't') {
        train<<<1, 256>>>(x);
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
        return true;
      }
      return false;
    }
    return true;
  }
};

int main() {
  cudaMalloc(&weights, 4096);
  by_global();
  by_atomic();
  App app{weights, 1000};
  app.run();
  Session session{weights};
  by_result(session);
  Paused paused{weights};
  paused.run();
  Mixed mixed{weights};
  while (mixed.tick()) {
  }
}
