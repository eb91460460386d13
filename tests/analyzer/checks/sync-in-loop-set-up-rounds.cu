// Rounds before and after training: a warm-up of the same work, and loops over streams. They run once.
#include <cuda_runtime.h>

#include <vector>

__global__ void advance(float* x) { x[threadIdx.x] *= .5f; }
__global__ void other(float* x) {
  __shared__ float sum[32];
  sum[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = sum[31 - threadIdx.x];
}

void warm_up_then_train(float* x) {
  for (int i = 0; i < 10; ++i) {
    advance<<<1, 32>>>(x);
    cudaDeviceSynchronize();
  }
  for (int step = 0; step < 100000; ++step) {
    advance<<<1, 32>>>(x);
    other<<<1, 32>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// How long the later loop runs is not known: it may be as short.
void rounds_then_perhaps_more(float* x, int steps) {
  for (int i = 0; i < 10; ++i) {
    advance<<<1, 32>>>(x);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
  for (int step = 0; step < steps; ++step) {
    advance<<<1, 32>>>(x);
    other<<<1, 32>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// The later loop does something else: these ten rounds are the work.
void rounds_then_other_work(float* x, int steps) {
  for (int i = 0; i < 10; ++i) {
    advance<<<1, 32>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  for (int step = 0; step < steps; ++step) other<<<1, 32>>>(x);
}

void epoch(float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    advance<<<1, 32>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
// Ten epochs are no warm-up, though more follow.
void epochs(float* x, int more) {
  for (int i = 0; i < 10; ++i) epoch(x, 1000);
  for (int i = 0; i < more; ++i) epoch(x, 1000);
}

class Application {
 public:
  explicit Application(float* x) : x_(x) {}
  void run() {
    start();
    while (!quit_) frame();
    stop();
  }

 private:
  void start() {
    for (int i = 0; i < 8; ++i) {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      streams_.push_back(stream);
    }
    for (cudaStream_t stream : streams_) {
      advance<<<1, 32, 0, stream>>>(x_);
      cudaStreamSynchronize(stream);
    }
  }
  void frame() { other<<<1, 32, 0, streams_[0]>>>(x_); }
  void stop() {
    for (cudaStream_t stream : streams_) {
      advance<<<1, 32, 0, stream>>>(x_);
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    }
  }

  std::vector<cudaStream_t> streams_;
  float* x_;
  volatile bool quit_ = false;
};

// A graph for each size of a batch, recorded after a warm-up.
std::vector<cudaGraphExec_t> graphs_for(const std::vector<int>& sizes, float* x, cudaStream_t stream) {
  std::vector<cudaGraphExec_t> graphs;
  for (int size : sizes) {
    advance<<<size, 32, 0, stream>>>(x);
    cudaStreamSynchronize(stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    advance<<<size, 32, 0, stream>>>(x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    graphs.push_back(exec);
  }
  return graphs;
}

// Recorded anew in each step, and launched.
void records_each_step(float* x, cudaStream_t stream, int steps) {
  for (int step = 0; step < steps; ++step) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    advance<<<1, 32, 0, stream>>>(x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);  // expect-high [alloc-in-loop]
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
  }
}

// Each batch takes its stream by turns.
void batches_by_turns(std::vector<float*>& batches, std::vector<cudaStream_t>& streams) {
  int turn = 0;
  for (float* batch : batches) {
    cudaStream_t stream = streams[turn++ % 4];
    advance<<<1, 32, 0, stream>>>(batch);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
  }
}

// In each step it costs.
void step_on_each_stream(std::vector<cudaStream_t>& streams, float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    other<<<1, 32>>>(x);
    for (cudaStream_t stream : streams) {
      advance<<<1, 32, 0, stream>>>(x);
      cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
    }
  }
}

int main(int argc, char**) {
  float* x;
  cudaMalloc(&x, 4096);
  warm_up_then_train(x);
  rounds_then_perhaps_more(x, 1000 * argc);
  rounds_then_other_work(x, 1000 * argc);
  epochs(x, argc);
  Application(x).run();
  std::vector<cudaStream_t> streams(4);
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  step_on_each_stream(streams, x, 1000 * argc);
  graphs_for({1, 2, 4, 8}, x, streams[0]);
  records_each_step(x, streams[0], 1000 * argc);
  std::vector<float*> batches(100 * argc, x);
  batches_by_turns(batches, streams);
}
