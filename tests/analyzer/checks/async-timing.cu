// A host clock around work that nothing waits for.
#include <cuda_runtime.h>
#include <sys/time.h>
#include <chrono>
#include <cstdio>
#include <ctime>

__global__ void k(float* x, int n);
void launch(float* x, int n) { k<<<1, 256>>>(x, n); }

double seconds() {
  timeval t;
  gettimeofday(&t, nullptr);
  return t.tv_sec + t.tv_usec * 1e-6;
}

void chrono_pair(float* x, int n) {
  auto start = std::chrono::high_resolution_clock::now();
  k<<<1, 256>>>(x, n);
  auto end = std::chrono::high_resolution_clock::now();  // expect-medium {{'k'}} [async-timing]
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

void c_clock(float* x, int n) {
  clock_t start = clock();
  launch(x, n);
  clock_t end = clock();  // expect-medium {{'launch'}} [async-timing]
  std::printf("%f\n", double(end - start) / CLOCKS_PER_SEC);
}

void own_clock(float* x, int n) {
  double start = seconds();
  for (int i = 0; i < 100; ++i) k<<<1, 256>>>(x, n);
  double spent = seconds() - start;  // expect-medium [async-timing]
  std::printf("%f\n", spent);
}

void structs(float* x, int n) {
  timeval start, end;
  gettimeofday(&start, nullptr);
  k<<<1, 256>>>(x, n);
  gettimeofday(&end, nullptr);  // expect-medium [async-timing]
  std::printf("%ld\n", (end.tv_sec - start.tv_sec) * 1000000L + (end.tv_usec - start.tv_usec));
  timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  k<<<1, 256>>>(x, n);
  clock_gettime(CLOCK_MONOTONIC, &b);  // expect-medium [async-timing]
  double ms = (b.tv_sec * 1e3 + b.tv_nsec * 1e-6) - (a.tv_sec * 1e3 + a.tv_nsec * 1e-6);
  std::printf("%f\n", ms);
}

// Every step.
double each_step(float* x, int n, int steps) {
  double total = 0;
  for (int step = 0; step < steps; ++step) {
    auto start = std::chrono::steady_clock::now();
    k<<<1, 256>>>(x, n);
    auto end = std::chrono::steady_clock::now();  // expect-high [async-timing]
    total += std::chrono::duration<double>(end - start).count();
  }
  return total;
}

// A timer of the program's own.
class Timer {
 public:
  void start() { start_ = std::chrono::steady_clock::now(); }
  void stop() { stop_ = std::chrono::steady_clock::now(); }
  double ms() const { return std::chrono::duration<double, std::milli>(stop_ - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_, stop_;
};
class Stopwatch {
 public:
  Stopwatch() : start_(std::chrono::steady_clock::now()) {}
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_;
};
void timers(float* x, int n) {
  Timer timer;
  timer.start();
  k<<<1, 256>>>(x, n);
  timer.stop();  // expect-medium [async-timing]
  std::printf("%f\n", timer.ms());
  Stopwatch watch;
  k<<<1, 256>>>(x, n);
  std::printf("%f\n", watch.ms());  // expect-medium [async-timing]
}
