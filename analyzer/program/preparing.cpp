#include "analyzer/program/preparing.h"

#include <algorithm>

namespace syncsniff::program {

namespace {

bool reads_input(const ApiFact* fact) { return fact && fact->host_work == "reads"; }

// Whether the function's own code names the GPU, launches a kernel, copies to the GPU or trains.
bool touches_gpu(const Code& code, const TensorDevices& devices, int function) {
  const Function& f = code.function(function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (event.kind == Event::Kind::kLaunch) return true;
    const ApiFact* fact = code.api(event);
    if (event.kind == Event::Kind::kApi && fact && fact->enqueues) return true;
    if (event.kind != Event::Kind::kTensor) continue;
    if ((fact && fact->tensor == "to_device") || devices.of(event.result, code.reading(Site{function, e})).cuda)
      return true;
  }
  return false;
}

// Adds functions without GPU work that only preparing functions call. For a function that calls itself, only its other
// callers count.
void add_helpers(const Code& code, const CallGraph& graph, const std::vector<bool>& gpu, std::vector<bool>& prepares) {
  const std::vector<bool> seeds = prepares;
  std::vector<int> work;
  for (int f = 0; f < code.count(); ++f) {
    if (prepares[f]) work.push_back(f);
  }
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    for (const std::vector<int>& to : graph.callees_of_events(f)) {
      for (int callee : to) {
        if (prepares[callee] || gpu[callee]) continue;
        prepares[callee] = true;
        work.push_back(callee);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int f = 0; f < code.count(); ++f) {
      if (!prepares[f] || seeds[f]) continue;
      prepares[f] = std::all_of(graph.callers(f).begin(), graph.callers(f).end(),
                                [&](const Site& caller) { return prepares[caller.function]; });
      changed |= !prepares[f];
    }
  }
}

}  // namespace

std::vector<bool> functions_that_prepare(const Code& code, const CallGraph& graph, const TensorDevices& devices,
                                         const Learning& learning) {
  const int count = code.count();
  std::vector<bool> prepares(count);
  const std::vector<bool> reads = graph.functions_reaching([&](const Event& e) { return reads_input(code.api(e)); });
  if (std::none_of(reads.begin(), reads.end(), [](bool read) { return read; })) return prepares;
  std::vector<bool> gpu(count);
  for (int f = 0; f < count; ++f) gpu[f] = learning.learns(f) || touches_gpu(code, devices, f);
  gpu = graph.with_callers(std::move(gpu));  // a function also does what its callees do
  for (int f = 0; f < count; ++f) prepares[f] = reads[f] && !gpu[f] && !code.function(f).is_main;
  add_helpers(code, graph, gpu, prepares);
  return prepares;
}

}  // namespace syncsniff::program
