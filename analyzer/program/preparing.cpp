// Functions that prepare data on the host: they read files and touch no GPU, as does whatever only they call. A tensor
// made there, of which nothing else is known, is in host memory.
#include <algorithm>

#include "analyzer/program/program.h"

namespace syncsniff::program {

namespace {

bool reads_input(const ApiFact* fact) { return fact && fact->host_work == "reads"; }

}  // namespace

// It names the GPU, launches a kernel, copies there or learns, in its own code.
bool Program::touches_gpu(int function) const {
  if (learns_[function]) return true;
  const Function& f = *functions_[function];
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (event.kind == Event::Kind::kLaunch) return true;
    const ApiFact* fact = api(event);
    if (event.kind == Event::Kind::kApi && fact && fact->enqueues) return true;
    if (event.kind != Event::Kind::kTensor) continue;
    if ((fact && fact->tensor == "to_device") || devices(event.result, reading(Site{function, e})).cuda) return true;
  }
  return false;
}

void Program::find_preparing() {
  const int count = static_cast<int>(functions_.size());
  prepares_.assign(count, false);
  if (!uses_cuda_tensors_) return;
  const std::vector<bool> reads = functions_that_come_to([&](const Event& e) { return reads_input(api(e)); });
  if (std::none_of(reads.begin(), reads.end(), [](bool read) { return read; })) return;
  std::vector<bool> gpu(count);
  for (int f = 0; f < count; ++f) gpu[f] = touches_gpu(f);
  gpu = with_callers(std::move(gpu));  // what a function calls, it does
  for (int f = 0; f < count; ++f) prepares_[f] = reads[f] && !gpu[f] && !functions_[f]->is_main;
  add_helpers_of_preparing(gpu);
}

// What functions that prepare call, without the GPU, prepares too where nobody else calls it. A function that calls
// itself counts as its outer callers do.
void Program::add_helpers_of_preparing(const std::vector<bool>& gpu) {
  const std::vector<bool> seeds = prepares_;
  std::vector<int> work;
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    if (prepares_[f]) work.push_back(f);
  }
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    for (const std::vector<int>& to : callees_[f]) {
      for (int callee : to) {
        if (prepares_[callee] || gpu[callee]) continue;
        prepares_[callee] = true;
        work.push_back(callee);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
      if (!prepares_[f] || seeds[f]) continue;
      prepares_[f] = std::all_of(callers_[f].begin(), callers_[f].end(),
                                 [&](const Site& caller) { return prepares_[caller.function]; });
      changed |= !prepares_[f];
    }
  }
}

}  // namespace syncsniff::program
