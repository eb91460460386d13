// Clocks that say what they should.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using Clock = std::chrono::steady_clock;
__global__ void k(float* x, int n);
void unknown(float* x);
void work_on_host(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
void launch_and_wait(float* x, int n) {
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
}
double ms(Clock::time_point a, Clock::time_point b) { return std::chrono::duration<double, std::milli>(b - a).count(); }

void waits(float* x, int n) {
  auto start = Clock::now();
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
  auto end = Clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

[[maybe_unused]] static void waits_further_in(float* x, int n) {
  auto start = Clock::now();
  launch_and_wait(x, n);
  auto end = Clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

[[maybe_unused]] static void copies_back(float* x, float* host, int n) {
  auto start = Clock::now();
  k<<<1, 256>>>(x, n);
  cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  auto end = Clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

[[maybe_unused]] static void frees(float* x, int n) {
  auto start = Clock::now();
  k<<<1, 256>>>(x, n);
  cudaFree(x);  // waits, too
  auto end = Clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

void host_alone(float* x, float* host, int n) {
  k<<<1, 256>>>(x, n);
  auto start = Clock::now();
  work_on_host(host, n);
  auto end = Clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

// Nobody shows what it does: it may wait.
void calls_out(float* x, int n) {
  auto start = Clock::now();
  k<<<1, 256>>>(x, n);
  unknown(x);
  auto end = Clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}

// The GPU takes the time itself.
void events(float* x, int n, cudaEvent_t begin, cudaEvent_t finish) {
  auto start = Clock::now();
  cudaEventRecord(begin);
  k<<<1, 256>>>(x, n);
  cudaEventRecord(finish);
  auto end = Clock::now();
  std::printf("enqueued in %f\n", std::chrono::duration<double>(end - start).count());
  cudaEventSynchronize(finish);
  float gpu_ms;
  cudaEventElapsedTime(&gpu_ms, begin, finish);
}

// The launch is timed on purpose, apart from the work.
void launch_apart(float* x, int n) {
  auto start = Clock::now();
  k<<<1, 256>>>(x, n);
  auto launched = Clock::now();
  cudaDeviceSynchronize();
  auto end = Clock::now();
  std::printf("%f + %f\n", std::chrono::duration<double>(launched - start).count(),
              std::chrono::duration<double>(end - launched).count());
}

// How long it has been running, and when to stop.
void since_the_beginning(float* x, int n, int steps) {
  auto start = Clock::now();
  auto shown = start;
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256>>>(x, n);
    auto now = Clock::now();
    if (now - start > std::chrono::minutes(10)) break;
    if (now - shown > std::chrono::seconds(1)) {
      std::printf("%d steps in %f s\n", step, std::chrono::duration<double>(now - start).count());
      shown = now;
    }
  }
}

// Two readings that nobody subtracts.
void seeds(float* x, int n) {
  srand(time(nullptr));
  k<<<1, 256>>>(x, n);
  auto now = time(nullptr);
  std::printf("%s", ctime(&now));
}

// Of two timers, the one around the host's work.
struct Timer {
  Clock::time_point start_, stop_;
  void start() { start_ = Clock::now(); }
  void stop() { stop_ = Clock::now(); }
  double seconds() const { return std::chrono::duration<double>(stop_ - start_).count(); }
};
void two_timers(float* x, float* host, int n) {
  Timer data, all;
  all.start();
  data.start();
  work_on_host(host, n);
  data.stop();
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
  all.stop();
  std::printf("%f %f\n", data.seconds(), all.seconds());
}

// Timers that wait before they look.
struct WaitingTimer {
  Clock::time_point start_, stop_;
  void start() {
    cudaDeviceSynchronize();
    start_ = Clock::now();
  }
  void stop() {
    cudaDeviceSynchronize();
    stop_ = Clock::now();
  }
  double seconds() const { return std::chrono::duration<double>(stop_ - start_).count(); }
};
Clock::time_point now_when_done() {
  cudaDeviceSynchronize();
  return Clock::now();
}
void waiting_timers(float* x, int n) {
  WaitingTimer timer;
  timer.start();
  k<<<1, 256>>>(x, n);
  timer.stop();
  std::printf("%f\n", timer.seconds());
  auto start = now_when_done();
  k<<<1, 256>>>(x, n);
  std::printf("%f\n", std::chrono::duration<double>(now_when_done() - start).count());
}

// The launch beside the GPU's own time.
void host_and_gpu(float* x, int n, cudaEvent_t begin, cudaEvent_t finish) {
  cudaEventRecord(begin);
  const auto before = Clock::now();
  k<<<1, 256>>>(x, n);
  const auto after = Clock::now();
  cudaEventRecord(finish);
  cudaEventSynchronize(finish);
  float gpu_ms;
  cudaEventElapsedTime(&gpu_ms, begin, finish);
  std::printf("%f %f\n", gpu_ms, std::chrono::duration<double>(after - before).count());
}
