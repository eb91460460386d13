// A step of many launches, captured once and replayed with one call. Host code, C++17, CUDA 12 or newer, nothing else.
// Errors come back as cudaError_t, with a sentence in why(); only the constructor throws CudaError.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "syncsniff/detail/capture_hint.h"
#include "syncsniff/detail/event.h"

namespace syncsniff {

struct GraphedStepOptions {
  unsigned warm_up = 1;        // first runs made without a graph: libraries load and allocate in their first call
  std::size_t max_graphs = 4;  // keys whose graphs are kept; the one not used for longest makes room
  // Thread-local: other threads may allocate and query while this one captures.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
};

// Key: everything that the captured calls depend on: pointers, sizes, scalars passed by value. A replay repeats exactly
// what was captured, so what is not in the key keeps its value of then. Copyable, with ==; a std::tuple does.
//
// The step is any callable that takes a cudaStream_t, enqueues on that stream alone (or forks from it and joins again),
// and returns void or cudaError_t. It is called once a key, not once a step: host code in it does not run in replays.
// Use of the legacy default stream in it is reported; work for any other stream runs then and there, and never again.
//
// Allocates: a stream in the constructor; per key a graph, on the host and the device. Neither capture nor replay
// waits. One thread at a time.
template <typename Key = std::tuple<>>
class GraphedStep {
 public:
  explicit GraphedStep(const GraphedStepOptions& options = {}) : options_(options), warm_up_left_(options.warm_up) {
    if (options_.max_graphs == 0) options_.max_graphs = 1;
  }
  GraphedStep(const GraphedStep&) = delete;
  GraphedStep& operator=(const GraphedStep&) = delete;
  ~GraphedStep() = default;  // graphs in flight run to their end; nothing waits for them

  // Enqueues one step on `stream`, which may be any stream of the constructor's device: the graph of `key`, captured
  // first if there is none. If capture fails, nothing was enqueued, the error comes back and why() tells more; the
  // caller may run the step directly instead. An error that an earlier call left in the runtime is one too, but not
  // cudaErrorNotReady, the answer of a query, which is cleared. An exception of the step passes through, its capture
  // ended.
  template <typename Step>
  cudaError_t run(const Key& key, cudaStream_t stream, Step&& step) {
    if (warm_up_left_ != 0) {
      --warm_up_left_;
      return call(step, stream);
    }
    Graph* graph = find(key);
    if (graph == nullptr) {
      const cudaError_t code = add(key, step, graph);
      if (code != cudaSuccess) return code;
    }
    graph->last_run = ++runs_;
    return cudaGraphLaunch(graph->executable, stream);
  }
  // For a step whose arguments never change.
  template <typename Step>
  cudaError_t run(cudaStream_t stream, Step&& step) {
    return run(Key{}, stream, std::forward<Step>(step));
  }

  // Why the last capture failed; empty if none did.
  const std::string& why() const { return why_; }
  std::uint64_t replays() const { return runs_; }       // launches of a graph
  std::uint64_t captures() const { return captures_; }  // successful ones
  std::uint64_t instantiations() const { return instantiations_; }
  std::uint64_t updates() const { return updates_; }  // captures that only changed an existing graph

 private:
  struct Graph {
    explicit Graph(const Key& of) : key(of) {}
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() {
      if (executable != nullptr) static_cast<void>(cudaGraphExecDestroy(executable));
    }
    const Key key;
    cudaGraphExec_t executable = nullptr;
    std::uint64_t last_run = 0;
  };
  // Destroys a captured graph; what was instantiated from it does not need it.
  struct Captured {
    cudaGraph_t graph = nullptr;
    ~Captured() {
      if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
    }
  };

  template <typename Step>
  static cudaError_t call(Step& step, cudaStream_t stream) {
    if constexpr (std::is_same_v<decltype(step(stream)), cudaError_t>) {
      return step(stream);
    } else {
      step(stream);
      return cudaSuccess;
    }
  }
  Graph* find(const Key& key) {
    for (Graph& graph : graphs_) {
      if (graph.key == key) return &graph;
    }
    return nullptr;
  }
  // A launch that fails inside the step leaves its error here and only here. cudaErrorNotReady is left here too, by any
  // query that was answered "not yet": no failure, and taken out, as it would be taken for one.
  static cudaError_t error_left_behind() {
    const cudaError_t code = cudaPeekAtLastError();
    if (code != cudaErrorNotReady) return code;
    static_cast<void>(cudaGetLastError());
    return cudaSuccess;
  }
  cudaError_t fail(cudaError_t code, const char* api, const char* hint) {
    static_cast<void>(cudaGetLastError());  // told by the return value
    why_ = std::string(api) + ": " + cudaGetErrorName(code) + ": " + hint;
    return code;
  }
  template <typename Step>
  cudaError_t capture(Step& step, Captured& out);
  template <typename Step>
  cudaError_t add(const Key& key, Step& step, Graph*& out);
  cudaError_t make_executable(Graph& graph, cudaGraph_t captured);

  GraphedStepOptions options_;
  // A blocking one, on which nothing ever runs: use of the legacy stream in the step is then an error of the capture,
  // where it would otherwise run once, at once, and be missing from every replay.
  detail::Stream capturing_{cudaStreamDefault};
  std::list<Graph> graphs_;  // no key moves: what it may throw cannot part it from its graph
  std::string why_;
  unsigned warm_up_left_;
  std::uint64_t runs_ = 0, captures_ = 0, instantiations_ = 0, updates_ = 0;
};

template <typename Key>
template <typename Step>
cudaError_t GraphedStep<Key>::capture(Step& step, Captured& out) {
  cudaError_t code = error_left_behind();
  if (code != cudaSuccess) return fail(code, "before the capture", "an earlier CUDA call failed");
  code = cudaStreamBeginCapture(capturing_.get(), options_.mode);
  if (code != cudaSuccess) return fail(code, "cudaStreamBeginCapture", detail::capture_hint(code));
  cudaError_t of_step = cudaSuccess;
  try {
    of_step = call(step, capturing_.get());
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(capturing_.get(), &out.graph));
    static_cast<void>(cudaGetLastError());
    throw;
  }
  if (of_step == cudaSuccess) of_step = error_left_behind();
  code = cudaStreamEndCapture(capturing_.get(), &out.graph);
  if (of_step != cudaSuccess) return fail(of_step, "the step", detail::capture_hint(of_step));
  if (code != cudaSuccess) return fail(code, "cudaStreamEndCapture", detail::capture_hint(code));
  std::size_t nodes = 0;
  code = cudaGraphGetNodes(out.graph, nullptr, &nodes);
  if (code != cudaSuccess) return fail(code, "cudaGraphGetNodes", "");
  if (nodes == 0) {
    return fail(cudaErrorInvalidValue, "the step",
                "it enqueued nothing on the stream that it was called with; give that stream to every launch, copy and "
                "library handle");
  }
  ++captures_;
  return cudaSuccess;
}

template <typename Key>
template <typename Step>
cudaError_t GraphedStep<Key>::add(const Key& key, Step& step, Graph*& out) {
  Captured captured;
  cudaError_t code = capture(step, captured);
  if (code != cudaSuccess) return code;
  std::list<Graph> fresh;
  fresh.emplace_back(key);  // first, as it may throw
  if (graphs_.size() >= options_.max_graphs) {
    auto oldest = graphs_.begin();
    for (auto graph = graphs_.begin(); graph != graphs_.end(); ++graph) {
      if (graph->last_run < oldest->last_run) oldest = graph;
    }
    // Its key goes before its graph changes, lest it find one half changed.
    fresh.back().executable = std::exchange(oldest->executable, nullptr);
    graphs_.erase(oldest);
  }
  code = make_executable(fresh.back(), captured.graph);
  if (code != cudaSuccess) return code;
  graphs_.splice(graphs_.end(), fresh);
  out = &graphs_.back();
  return cudaSuccess;
}

// Of a graph that has been another: in place if the calls are the same and only their arguments differ, which is
// cheaper. Launches in flight keep what they had.
template <typename Key>
cudaError_t GraphedStep<Key>::make_executable(Graph& graph, cudaGraph_t captured) {
  cudaGraphExecUpdateResultInfo result{};
  if (graph.executable != nullptr) {
    if (cudaGraphExecUpdate(graph.executable, captured, &result) == cudaSuccess) {
      ++updates_;
      return cudaSuccess;
    }
    static_cast<void>(cudaGetLastError());  // not an error: the shape differs
  }
  cudaGraphExec_t executable = nullptr;
  const cudaError_t code = cudaGraphInstantiateWithFlags(&executable, captured, 0);
  if (code != cudaSuccess) return fail(code, "cudaGraphInstantiate", "the captured graph cannot be made executable");
  executable = std::exchange(graph.executable, executable);
  if (executable != nullptr) static_cast<void>(cudaGraphExecDestroy(executable));
  ++instantiations_;
  return cudaSuccess;
}

}  // namespace syncsniff
