#include "analyzer/program/heat_spread.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>

#include "analyzer/facts/words.h"
#include "analyzer/program/entries.h"
#include "analyzer/program/threads.h"

namespace syncsniff::program {

HeatSpread::HeatSpread(const Linked& linked, const Loops& loops, const Descent& descent, bool left_over)
    : linked_(linked),
      code_(linked.code),
      graph_(linked.graph),
      loops_(loops),
      descent_(descent),
      threads_(thread_functions(linked.code, linked.provenance)),
      heat_in_(linked.code.count()),
      settled_(linked.code.count()) {
  start_where_nobody_calls(left_over);
  start_threads();
  start_entries();
  start_cycles();
}

void HeatSpread::start(int function) {
  heat_in_[function].reached = true;
  heat_in_[function].from_main = code_.function(function).is_main;
  descent_.pass_function_name(heat_in_[function], function);
  work_.push_back(function);
}

// If main() leads to the training, functions that nobody calls may be dead code. Their calls of functions that main()
// also reaches must not affect how hot these are.
void HeatSpread::start_where_nobody_calls(bool left_over) {
  for (int f = 0; f < code_.count(); ++f)
    if (code_.function(f).is_main) start(f);
  spread();
  const bool main_trains = std::ranges::any_of(heat_in_, [](const Heat& heat) { return heat.hot && heat.from_main; });
  for (int f = 0; f < code_.count() && main_trains; ++f) settled_[f] = heat_in_[f].from_main;
  const bool main_learns = std::ranges::any_of(
      std::views::iota(0, code_.count()), [&](int f) { return heat_in_[f].from_main && linked_.learning.learns(f); });
  for (int f = 0; f < code_.count(); ++f) {
    if (!graph_.callers(f).empty() || threads_.count(f) || heat_in_[f].reached) continue;
    start(f);
    const bool unused = linked_.outside.nobody_calls(f);
    heat_in_[f].from_unused = unused;
    drop_where_handed_over(f, heat_in_[f]);
    const bool dead = unused && (left_over || (main_trains && !linked_.usage.unread));
    // Detector::train() where main() only detects: the call is commented out, or of another program.
    const bool is_trainer = linked_.learning.learns(f) && !main_learns;
    if (dead)
      lower_dead_code(heat_in_[f], code_.function(f), main_trains && !is_trainer ? Severity::kLow : Severity::kMedium);
  }
  spread();
}

// The kernels that the functions launch, themselves or through calls.
std::set<std::string> HeatSpread::kernels_behind(std::vector<int> functions) const {
  std::set<std::string> kernels;
  std::set<int> seen(functions.begin(), functions.end());
  while (!functions.empty()) {
    const int f = functions.back();
    functions.pop_back();
    for (const Event& event : code_.function(f).events)
      if (event.kind == Event::Kind::kLaunch) kernels.insert(event.callee.id.str());
    for (const std::vector<int>& callees : graph_.callees_of_events(f))
      for (const int callee : callees)
        if (seen.insert(callee).second) functions.push_back(callee);
  }
  return kernels;
}

// Threads that run a network, such as an actor that plays games, or that lead to more kernels than all code that is hot
// elsewhere. They use the GPU for themselves: their waits delay their own kernels.
std::set<int> HeatSpread::threads_that_use_gpu() const {
  constexpr size_t kLoadersKernels = 4;  // a thread that loads data may also scale, crop and cast it
  std::set<int> users;
  if (threads_.empty()) return users;
  const std::vector<bool> runs_layers = graph_.functions_reaching([&](const Event& event) {
    const ApiFact* fact = event.kind == Event::Kind::kTensor ? code_.api(event) : nullptr;
    return fact && fact->tensor == "layer";
  });
  std::vector<int> hot;
  for (int f = 0; f < code_.count(); ++f)
    if (heat_in_[f].hot) hot.push_back(f);
  size_t most = std::max(kLoadersKernels, kernels_behind(std::move(hot)).size());
  std::map<int, size_t> kernels;
  for (const int f : threads_) kernels[f] = kernels_behind({f}).size();
  // Of threads that differ much, those with few kernels load data for the others.
  for (const auto& [f, count] : kernels) most = std::max(most, count / 2);
  for (const auto& [f, count] : kernels)
    if (runs_layers[f] || count > most) users.insert(f);
  return users;
}

// A thread next to a loop that launches GPU work prepares its data, so its waits are not on the critical path. If the
// main thread has no such loop, the threads are the trainers themselves, one per device.
void HeatSpread::start_threads() {
  const bool trains =
      std::any_of(heat_in_.begin(), heat_in_.end(), [](const Heat& h) { return h.hot; }) || feeds_itself();
  const std::map<int, Service> services = services_of(code_, graph_, linked_.effects, threads_, [&](Site site) {
    if (!heat_in_[site.function].reached) return false;
    const Heat here = heat(site);
    return here.hot && !here.dropped;
  });
  const std::set<int> users = trains ? threads_that_use_gpu() : std::set<int>{};
  for (int f : threads_) {
    if (heat_in_[f].reached || !graph_.callers(f).empty()) continue;
    start(f);
    // A thread that steps an optimizer is a trainer, whatever other threads do.
    const bool beside_trainer = trains && !loops_.epochs.trains(f);
    if (beside_trainer && users.count(f))
      heat_in_[f].beside_trainer = true;
    else if (beside_trainer)
      heat_in_[f].drop("it runs on another thread than the loop that launches GPU work", code_.function(f).place);
    const auto service = services.find(f);
    if (service == services.end()) continue;
    // The thread's work is part of the loop that waits for it, so it has the heat of that wait.
    heat_in_[f] = heat(service->second.wait);
    heat_in_[f].depth += 1;
    heat_in_[f].caller = service->second.wait;
    heat_in_[f].of_worker = true;
    heat_in_[f].worker_loop = service->second.loop;
    descent_.pass_function_name(heat_in_[f], f);
  }
  spread();
}

void HeatSpread::start_entries() {
  for (int f : find_entries()) {
    heat_in_[f].run_by(Heat::By::kEachCall, code_, f);
    work_.push_back(f);
  }
  spread();
}

// Functions that only call each other have no first caller; the search starts at any of them.
void HeatSpread::start_cycles() {
  for (int f = 0; f < code_.count(); ++f) {
    if (heat_in_[f].reached) continue;
    start(f);
    spread();
  }
}

void HeatSpread::spread() {
  while (!work_.empty()) {
    const int f = work_.front();
    work_.pop_front();
    for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
      for (int callee : graph_.callees({f, e})) spread_through({f, e}, callee);
    }
  }
}

void HeatSpread::spread_through(Site call, int callee) {
  const bool job = heat_in_[call.function].of_worker && code_.event(call).callee.indirect;
  if (job && is_handed_over_outside_loops(callee)) return;
  if (linked_.callbacks.runs_callback(call, callee)) return;  // the calls that pass the callback bring its heat
  const Heat heat = descent_.through(heat_in_[call.function], call, callee);
  take(callee, heat);
  for (const Callbacks::Callback& callback : linked_.callbacks.handed_by(call)) {
    if (callback.inside.function != callee) continue;
    Heat inside = descent_.through(heat, callback.inside, callback.function);
    inside.handed_by = call;
    take(callback.function, inside);
  }
}

void HeatSpread::take(int callee, Heat heat) {
  heat.checks_only = heat.hot && is_beside_training(heat, heat_in_, linked_.learning);
  if (heat.score() <= heat_in_[callee].score() || (heat.from_unused && settled_[callee])) return;
  heat_in_[callee] = heat;
  work_.push_back(callee);
}

Heat HeatSpread::heat(Site site) const {
  return descent_.descend(heat_in_[site.function], site.function, code_.event(site).region);
}

// Whether a function that has been reached contains a loop that launches GPU work.
bool HeatSpread::feeds_itself() const {
  return loops_.feeding.any([&](int f, int) { return heat_in_[f].reached; });
}

// The classes defined in a source file that other code of the program uses. Methods of these classes that nothing calls
// are dead code, not entries.
std::set<std::string_view> HeatSpread::classes_used_here() const {
  std::set<std::string_view> used;
  for (int f = 0; f < code_.count(); ++f) {
    const Function& function = code_.function(f);
    if (!function.class_is_in_source) continue;
    const std::string_view name = facts::class_part(function.name);
    if (std::ranges::any_of(graph_.callers(f),
                            [&](Site call) { return facts::class_part(code_.function(call.function).name) != name; }))
      used.insert(name);
  }
  return used;
}

// In a program whose main() trains, a function without callers is dead code, unless it is a callback. If main()
// contains no loop that launches GPU work, a framework has the loop and calls the program's overriders.
std::vector<int> HeatSpread::find_entries() {
  const bool has_main =
      std::any_of(code_.functions().begin(), code_.functions().end(), [](const Function* f) { return f->is_main; });
  bool trains = false;
  for (const Heat& heat : heat_in_) trains |= heat.hot && heat.from_main;
  trains |= has_main && feeds_itself();
  std::set<std::string_view> used_classes;
  if (!has_main) used_classes = classes_used_here();
  std::optional<Entries> entries;
  std::vector<int> out;
  for (int f = 0; f < code_.count(); ++f) {
    const Function& function = code_.function(f);
    const bool launches = linked_.effects.of(f).launches;
    if (!graph_.callers(f).empty() || !launches || threads_.count(f) || heat_in_[f].dropped) continue;
    const bool is_left = function.class_is_in_source && used_classes.count(facts::class_part(function.name)) != 0;
    const bool exported = !function.is_static_or_local && !is_left && function.owner.empty();
    const bool is_candidate = has_main ? !trains && !function.overrides.empty() : exported;
    if (!is_candidate && !linked_.outside.is_taken(f)) continue;
    if (!entries) entries.emplace(linked_, loops_);
    if (!entries->runs_each_call(f)) continue;
    out.push_back(f);
    if (entries->is_whole_job(f)) whole_jobs_.insert(f);
  }
  return out;
}

// Whether the job is only queued outside of hot loops, such as one that sets up an environment. It then does not run in
// the loop that waits for its worker, although the same worker runs it.
bool HeatSpread::is_handed_over_outside_loops(int job) const {
  const std::vector<Site>& sites = linked_.callbacks.calls_given(job);
  return !sites.empty() && std::all_of(sites.begin(), sites.end(), [&](const Site& site) {
    return heat_in_[site.function].reached && !heat(site).hot;
  });
}

// Drops the heat of a lambda if every call that gets it as argument is where tensors are on the CPU or an error is
// handled: parallel_for(0, n, [&] { ... }). The lambda runs under that condition, wherever the code is that calls it.
// `heat` receives the reason.
void HeatSpread::drop_where_handed_over(int function, Heat& heat) const {
  const std::vector<Site>& sites = linked_.callbacks.calls_given(function);
  if (code_.function(function).owner.empty() || sites.empty()) return;
  std::optional<Heat> dropped;
  for (const Site& site : sites) {
    Heat there;
    there.reached = true;
    there = descent_.descend(there, site.function, code_.event(site).region);
    if (!there.dropped) return;
    if (!dropped) dropped = there;
  }
  heat = *dropped;
}

bool is_beside_training(const Heat& heat, const std::vector<Heat>& heat_in, const Learning& learning) {
  if (heat.loop_function < 0 || heat.loop_region < 0) return false;
  int root = heat.loop_function;
  for (int guard = 0; heat_in[root].caller.function >= 0 && guard < 64; ++guard) root = heat_in[root].caller.function;
  return learning.learns(root) && !learning.learns_around(heat.loop_function, heat.loop_region);
}

void lower_dead_code(Heat& heat, const Function& function, Severity most) {
  heat.cap(most, "no program with a main() calls this function", function.place);
}

}  // namespace syncsniff::program
