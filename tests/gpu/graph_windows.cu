// CUDA graphs launched, updated and made while windows open and close: every kernel must have run, exactly once.
// usage: graph_windows WAY THREADS LAUNCHES [WAIT_EVERY]     WAY: replay, mixed, update, setparams, remake, build,
// upload Prints `loss N` (kernels that ran) and us_per_launch. Exit: 0 all ran, 1 some did not, 2 a CUDA call failed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using Count = unsigned long long;
constexpr int kKernels = 20;  // in a graph

void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "graph_windows.cu:%d: %s\n", line, cudaGetErrorString(error));
  std::_Exit(2);
}
#define CHECK(call) check(call, __LINE__)

__global__ void count_up(Count* count) {
  if (threadIdx.x == 0) *count += 1;
}

class Worker {
 public:
  Worker(std::string way, int launches, int wait_every) : way_(std::move(way)), launches_(launches), wait_(wait_every) {
    CHECK(cudaMalloc(&count_, sizeof(Count)));
    CHECK(cudaMemset(count_, 0, sizeof(Count)));
    CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
    CHECK(cudaMalloc(&scratch_, kBytes));
  }

  // Kernels that did not run.
  Count run() {
    cudaGraph_t graph = capture();
    CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    Count wanted = 0;
    for (int i = 0; i < launches_; ++i) {
      change(graph, i);
      CHECK(cudaGraphLaunch(exec_, stream_));
      wanted += kKernels;
      if (way_ == "mixed") {
        for (int k = 0; k < 10; ++k) count_up<<<1, 32, 0, stream_>>>(count_);
        CHECK(cudaGetLastError());
        wanted += 10;
      }
      if (wait_ != 0 && i % wait_ == 0) CHECK(cudaStreamSynchronize(stream_));
    }
    CHECK(cudaStreamSynchronize(stream_));
    Count got = 0;
    CHECK(cudaMemcpy(&got, count_, sizeof(got), cudaMemcpyDeviceToHost));
    return wanted - got;
  }

 private:
  static constexpr size_t kBytes = 4096;

  // A copy and a memset on a second stream beside the kernels, as captured training steps have.
  cudaGraph_t capture() {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(forked_, stream_));
    CHECK(cudaStreamWaitEvent(beside_, forked_, 0));
    CHECK(cudaMemsetAsync(scratch_, 0, kBytes, beside_));
    CHECK(cudaMemcpyAsync(scratch_, scratch_ + kBytes / 2, kBytes / 2, cudaMemcpyDeviceToDevice, beside_));
    for (int i = 0; i < kKernels; ++i) count_up<<<1, 32, 0, stream_>>>(count_);
    CHECK(cudaEventRecord(forked_, beside_));
    CHECK(cudaStreamWaitEvent(stream_, forked_, 0));
    CHECK(cudaStreamEndCapture(stream_, &graph));
    return graph;
  }

  void change(cudaGraph_t graph, int launch) {
    if (way_ == "upload" && launch % 10 == 0) CHECK(cudaGraphUpload(exec_, stream_));
    if (way_ == "update") {
      cudaGraph_t next = capture();
      cudaGraphExecUpdateResultInfo result{};
      CHECK(cudaGraphExecUpdate(exec_, next, &result));
      CHECK(cudaGraphDestroy(next));
    }
    if (way_ == "remake") {
      cudaGraph_t next = capture();
      CHECK(cudaGraphExecDestroy(exec_));
      CHECK(cudaGraphInstantiate(&exec_, next, 0));
      CHECK(cudaGraphDestroy(next));
    }
    if (way_ == "setparams") set_first_kernel(graph);
    if (way_ == "build") build_beside();
  }

  // A graph that is made node by node, copied, changed and taken apart, and never launched.
  void build_beside() {
    void* arguments[] = {&count_};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(count_up);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(32);
    parameters.kernelParams = arguments;
    cudaGraph_t graph = nullptr, copy = nullptr;
    CHECK(cudaGraphCreate(&graph, 0));
    std::vector<cudaGraphNode_t> nodes(kKernels);
    for (int i = 0; i < kKernels; ++i) {
      CHECK(cudaGraphAddKernelNode(&nodes[i], graph, i > 0 ? &nodes[i - 1] : nullptr, i > 0 ? 1 : 0, &parameters));
      CHECK(cudaGraphKernelNodeSetParams(nodes[i], &parameters));
    }
    CHECK(cudaGraphClone(&copy, graph));
    CHECK(cudaGraphDestroyNode(nodes[kKernels - 1]));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(copy));
  }

  void set_first_kernel(cudaGraph_t graph) {
    std::vector<cudaGraphNode_t> nodes(2 * kKernels);
    size_t count = nodes.size();
    CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
    for (size_t i = 0; i < count; ++i) {
      cudaGraphNodeType type;
      CHECK(cudaGraphNodeGetType(nodes[i], &type));
      if (type != cudaGraphNodeTypeKernel) continue;
      void* arguments[] = {&count_};
      cudaKernelNodeParams parameters{};
      parameters.func = reinterpret_cast<void*>(count_up);
      parameters.gridDim = dim3(1);
      parameters.blockDim = dim3(32);
      parameters.kernelParams = arguments;
      CHECK(cudaGraphExecKernelNodeSetParams(exec_, nodes[i], &parameters));
      return;
    }
  }

  const std::string way_;
  const int launches_, wait_;
  Count* count_ = nullptr;
  char* scratch_ = nullptr;
  cudaStream_t stream_ = nullptr, beside_ = nullptr;
  cudaEvent_t forked_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return std::fprintf(stderr, "usage: graph_windows WAY THREADS LAUNCHES [WAIT_EVERY]\n"), 2;
  const int threads = std::atoi(arguments[2]), launches = std::atoi(arguments[3]);
  std::vector<Worker> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back(arguments[1], launches, count > 4 ? std::atoi(arguments[4]) : 0);
  CHECK(cudaDeviceSynchronize());
  std::vector<Count> missing(workers.size());
  std::vector<std::thread> running;
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < workers.size(); ++i) running.emplace_back([&, i] { missing[i] = workers[i].run(); });
  for (std::thread& thread : running) thread.join();
  const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  Count all = 0;
  for (const Count some : missing) all += some;
  std::printf("loss %llu\n", static_cast<Count>(threads) * launches * kKernels - all);
  std::printf("us_per_launch %.3f\n", us / launches / threads);
  return all == 0 ? 0 : 1;
}
