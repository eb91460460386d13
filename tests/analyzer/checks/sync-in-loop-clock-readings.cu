// A clock that is read after the wait makes the wait part of a measurement only where it measures the step.
#include <cuda_runtime.h>
#include <sys/time.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using Clock = std::chrono::steady_clock;

__global__ void train(float* x) { x[threadIdx.x] *= 2; }

double seconds(Clock::time_point since, Clock::time_point now) { return std::chrono::duration<double>(now - since).count(); }

void log_line(const char* text) {
  const time_t now = time(nullptr);
  std::fprintf(stderr, "%s %s\n", ctime(&now), text);
}

void progress(float* x, int steps) {
  auto last = Clock::now();
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    if (i % 100 == 99) {
      const auto now = Clock::now();
      std::printf("%g it/s\n", 100 / std::chrono::duration<double>(now - last).count());
      last = now;
    }
  }
}

void sign_of_life(float* x, int steps) {
  auto last = Clock::now();
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    const auto now = Clock::now();
    if (now - last > std::chrono::seconds(10)) {
      std::printf("step %d\n", i);
      last = now;
    }
  }
}

void time_stamps(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    std::printf("%ld %d\n", static_cast<long>(time(nullptr)), i);
  }
}

void seeded(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    std::srand(time(nullptr));
  }
}

void logged(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    if (i % 100 == 0) log_line("alive");
  }
}

// These measure each step.
void from_step_to_step(float* x, int steps) {
  auto last = Clock::now();
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    const auto now = Clock::now();
    std::printf("%g\n", std::chrono::duration<double>(now - last).count());
    last = now;
  }
}

std::vector<Clock::time_point> collected(float* x, int steps) {
  std::vector<Clock::time_point> times;
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    times.push_back(Clock::now());
  }
  return times;
}

void handed_on(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    const auto begin = Clock::now();
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    std::printf("%g\n", seconds(begin, Clock::now()));
  }
}

void only_when_timed(float* x, int steps, bool timed) {
  for (int i = 0; i < steps; ++i) {
    timeval begin, end;
    if (timed) gettimeofday(&begin, nullptr);
    train<<<1, 256>>>(x);
    if (timed) {
      cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
      gettimeofday(&end, nullptr);
      std::printf("%ld\n", end.tv_sec - begin.tv_sec);
    }
  }
}

int main(int argc, char**) {
  float* x;
  cudaMalloc(&x, 4096);
  progress(x, 10000);
  sign_of_life(x, 10000);
  time_stamps(x, 10000);
  seeded(x, 10000);
  logged(x, 10000);
  from_step_to_step(x, 10000);
  collected(x, 10000);
  handed_on(x, 10000);
  only_when_timed(x, 10000, argc > 1);
}
