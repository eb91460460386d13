// The wait is rarely written out: macros, functions, methods. The line that the user wrote is reported.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call)                                                              \
  do {                                                                                \
    cudaError_t error_ = (call);                                                      \
    if (error_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)

template <typename T>
void check(T result, char const* const function, const char* const file, int const line) {
  if (result) {
    fprintf(stderr, "error at %s:%d code=%d \"%s\"\n", file, line, static_cast<unsigned int>(result), function);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

inline void cuda_check_(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(err) (cuda_check_(err, __FILE__, __LINE__))

#define gpuDeviceSynchronize cudaDeviceSynchronize
#define NOTHING(call)
#define WAIT() CUDA_CHECK(cudaDeviceSynchronize())
#ifdef DEBUG
#define DEBUG_SYNC() cudaDeviceSynchronize()
#else
#define DEBUG_SYNC()
#endif

__global__ void k(float* x);

void macros(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 1>>>(x);
    CUDA_CHECK(cudaDeviceSynchronize());  // expect-high {{cudaDeviceSynchronize}} [sync-in-loop]
    k<<<1, 1>>>(x);
    checkCudaErrors(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    cudaCheck(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    gpuDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    WAIT();  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    cudaError_t error = cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    if (error != cudaSuccess) return;
    NOTHING(cudaDeviceSynchronize());
    DEBUG_SYNC();
    k<<<1, 1>>>(x);
    (void)cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    CUDA_CHECK(  // expect-high@+1 [sync-in-loop]
        cudaDeviceSynchronize());
  }
}

void sync_all() { CUDA_CHECK(cudaDeviceSynchronize()); }
void sync_twice_removed() { sync_all(); }

class Stream {
 public:
  Stream() { cudaStreamCreate(&stream_); }
  ~Stream() { cudaStreamDestroy(stream_); }
  void Sync() const { CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_;
};

void functions(float* x, int steps) {
  Stream stream;
  Stream* pointer = &stream;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 1>>>(x);
    sync_all();  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
    sync_twice_removed();  // expect-high [sync-in-loop]
    k<<<1, 1, 0, stream.get()>>>(x);
    stream.Sync();  // expect-high [sync-in-loop]
    k<<<1, 1, 0, stream.get()>>>(x);
    pointer->Sync();  // expect-high [sync-in-loop]
  }
  stream.Sync();
  sync_all();
}

// A check that waits where a switch is on: told once, where it is mended, not at each of its calls.
int debug_sync = 0;
void check_extended(cudaError_t status, const char* file, int line) {
  if (status != cudaSuccess) exit(1);
  if (debug_sync) {
    status = cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    if (status != cudaSuccess) printf("%s:%d\n", file, line);
  }
}
#define CHECK_EXTENDED(call) check_extended(call, __FILE__, __LINE__)
void extended(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 1>>>(x);
    CHECK_EXTENDED(cudaPeekAtLastError());
    k<<<1, 1>>>(x);
    CHECK_EXTENDED(cudaGetLastError());
  }
}
