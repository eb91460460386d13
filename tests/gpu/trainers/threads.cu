// Many host threads, each with a stream of its own, that launch all the time and wait now and then.
// usage: threads [--threads 32] [--launches 20000]; prints how many launches there were in all, and a sum of results.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    const cudaError_t error = (call);                                                             \
    if (error != cudaSuccess) std::printf("%s: %s\n", #call, cudaGetErrorString(error)), exit(1); \
  } while (false)

__global__ void add_one(unsigned* counter) { ++*counter; }

static long option(int argc, char** argv, const char* name, long value) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) value = std::atol(argv[i + 1]);
  return value;
}

static void launch(unsigned* counter, long launches) {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (long i = 0; i < launches; ++i) {
    add_one<<<1, 1, 0, stream>>>(counter);
    if (i % 50 == 49) CHECK(cudaStreamSynchronize(stream));
  }
  CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char** argv) {
  const long count = option(argc, argv, "--threads", 32), launches = option(argc, argv, "--launches", 20000);
  unsigned* counters = nullptr;
  CHECK(cudaMalloc(&counters, static_cast<size_t>(count) * sizeof(unsigned)));
  CHECK(cudaMemset(counters, 0, static_cast<size_t>(count) * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  std::vector<std::thread> threads;
  for (long i = 0; i < count; ++i) threads.emplace_back(launch, counters + i, launches);
  for (std::thread& thread : threads) thread.join();
  std::vector<unsigned> results(static_cast<size_t>(count));
  CHECK(cudaMemcpy(results.data(), counters, results.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned long sum = 0;
  for (const unsigned result : results) sum += result;
  std::printf("launches %ld\nsum %lu\n", count * launches, sum);
  return sum == static_cast<unsigned long>(count * launches) ? 0 : 1;
}
