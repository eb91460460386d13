// Loops that feed the GPU and yet are no training: over the devices, a few rounds of warm-up, what a program that
// trains does before and after.
#include <algorithm>
#include <regex>

#include "analyzer/facts/words.h"
#include "analyzer/program/gates.h"
#include "analyzer/program/program.h"

namespace syncsniff::program {

using facts::words_of;

namespace {

constexpr long kFewTrips = 3;

// `d < deviceCount`, `auto& gpu : gpus`
bool goes_through_devices(const std::string& head) {
  static const std::regex kDevices(
      "\\b((num |n)?(devices|gpus|devs)|ngpus?|ndevices?|(device|gpu|dev) count|count (device|gpu)s?)\\b");
  return std::regex_search(words_of(head), kDevices);
}

// Constructors, and what is named for what comes before training: load_weights, makeWorker.
bool prepares_by_name(const std::string& name) {
  static const std::regex kPrepares(
      "(load|import|restore|deserialize|parse|make|create|allocate|alloc|upload|prepare|preprocess|resize|setup)\\b.*");
  if (name.ends_with("(constructor)")) return true;
  // create_and_run, make_loss, load_loop: it does more, or the same each step.
  static const std::regex kWorks(
      "\\b(and|run|loop|step|steps|epoch|epochs|pass|loss|update|updates|predict|prediction|predictions|decision|"
      "optimize|"
      "process|forward|backward|gradient|gradients|embedding|iteration|batch|batches)\\b");
  const std::string words = words_of(name);
  return std::regex_match(words, kPrepares) && !std::regex_search(words, kWorks) && !trains_by_name(name);
}

// It goes on until the file ends: while (section) { ... }
bool reads_by_name(const std::string& name) {
  static const std::regex kReads("(load|import|restore|deserialize|parse)\\b.*");
  return std::regex_match(words_of(name), kReads);
}

bool learns_by(const Event& event) {
  return is_optimizer_step(event) || is_backward(event) ||
         (event.kind == Event::Kind::kTensor && event.callee == "torch::autograd::grad");
}

}  // namespace

bool Program::learns_in(int function, int region) const {
  const Function& f = *functions_[function];
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!inside(f, f.events[e].region, region)) continue;
    if (learns_by(f.events[e])) return true;
    const std::vector<int>& to = callees({function, e});
    if (std::any_of(to.begin(), to.end(), [&](int callee) { return learns_[callee]; })) return true;
  }
  return false;
}

void Program::find_learning() {
  const int count = static_cast<int>(functions_.size());
  brief_.assign(count, {});
  for (int f = 0; f < count; ++f) {
    for (int r = 0; r < static_cast<int>(functions_[f]->regions.size()); ++r) brief_[f].push_back(is_brief(f, r));
  }
  learns_.assign(count, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (int f = 0; f < count; ++f) {
      if (learns_[f] || !learns_in(f, 0)) continue;
      learns_[f] = changed = true;
    }
  }
}

// The outermost loop around holds no learning, and the program that it stands in learns elsewhere.
bool Program::beside_training(const Heat& heat) const {
  if (heat.loop_function < 0 || heat.loop_region < 0) return false;
  int root = heat.loop_function;
  for (int guard = 0; heat_in_[root].caller.function >= 0 && guard < 64; ++guard) root = heat_in_[root].caller.function;
  return learns_[root] && !loop_learns(heat);
}

bool Program::loop_learns(const Heat& heat) const {
  const std::pair<int, int> loop{heat.loop_function, heat.loop_region};
  const auto known = learning_loops_.find(loop);
  if (known != learning_loops_.end()) return known->second;
  return learning_loops_[loop] = learns_in(loop.first, loop.second);
}

// All that the loop puts on the GPU is put there by functions that are named for it.
bool Program::only_prepares(int function, int region) const {
  const Function& f = *functions_[function];
  bool prepares = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!inside(f, f.events[e].region, region) || !effects_of({function, e}).enqueues) continue;
    const std::vector<int>& to = callees({function, e});
    const auto named = [&](int callee) { return prepares_by_name(functions_[callee]->name); };
    if (to.empty() || !std::all_of(to.begin(), to.end(), named)) return false;
    prepares = true;
  }
  return prepares;
}

bool Program::is_brief(int function, int region) const {
  const Function& f = *functions_[function];
  if (f.regions[region].kind != Region::Kind::kLoop || !region_launches_[function][region]) return false;
  const Region& loop = f.regions[region];
  if (loop.trips > 0 && loop.trips <= kFewTrips) return true;
  static const std::regex kSteps("\\b(step|steps|iter|iters|iteration|iterations|epoch|epochs|batch|batches)\\b");
  const bool of_training = loop.forever || !loop.unit_step ||
                           (loop.text.rfind("for", 0) != 0 && !reads_by_name(f.name)) || counts_epochs(loop) ||
                           looks_like_steps(loop) || steps_[function][region] ||
                           std::regex_search(words_of(loop.text), kSteps) || trains_by_name(f.name);
  // What such a function does for a loop that calls it is that loop's.
  if (!of_training && (goes_through_devices(loop.text) || prepares_by_name(f.name) || only_prepares(function, region)))
    return true;
  return std::any_of(f.events.begin(), f.events.end(), [&](const Event& event) {
    const ApiFact* fact = api(event);
    const auto& varies = event.varies_with;
    return fact && fact->switches_device && std::find(varies.begin(), varies.end(), region) != varies.end();
  });
}

}  // namespace syncsniff::program
