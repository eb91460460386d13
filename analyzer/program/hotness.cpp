// What runs every training step: inside a loop that enqueues GPU work, directly or through callers, and how its
// gates thin it out. Each function keeps the hottest way in; paths are read back along those.
#include <algorithm>
#include <deque>

#include "analyzer/facts/words.h"
#include "analyzer/frequency/gates.h"
#include "analyzer/program/element_share.h"
#include "analyzer/program/program.h"
#include "analyzer/program/regions.h"
#include "analyzer/program/steps.h"
#include "analyzer/program/threads.h"

namespace syncsniff::program {

long Heat::score() const {
  if (!reached || dropped) return reached ? 0 : -1;
  if (by == By::kEachCall) return 10 + 10 * static_cast<long>(severity) - std::min(depth, 9);
  if (!hot) return 1 + (from_main ? 1 : 0) + (severity == Severity::kHigh ? 2 : 0);
  // What settle() will make of it at most.
  const Severity most = checks_only                      ? Severity::kLow
                        : between_epochs || between_runs ? Severity::kMedium
                                                         : Severity::kHigh;
  const bool of_main = from_main && !checks_only;
  return 100 + 20 * static_cast<long>(std::min(severity, most)) + (of_main ? 10 : 0) - std::min(depth, 9);
}

Heat Program::descend(Heat heat, int function, int region) const {
  const Function& f = code_.function(function);
  std::vector<int> chain;
  for (int r = region; r >= 0; r = f.regions[r].parent) chain.push_back(r);
  std::reverse(chain.begin(), chain.end());
  const bool recurs = std::any_of(chain.begin(), chain.end(), [&](int r) { return recurs_over_rows(function, r); });
  for (int r : chain) {
    const Region& here = f.regions[r];
    if (r == 0 && moves_[function]) heat.cap(Severity::kLow, "it copies data to a larger allocation", here.place);
    const bool by_name = !here.named.empty() && !learns_around(function, r);
    // if (step % accumulated == 0) optimizer.step(): logging and saving are rare, and this is the training step.
    if (here.gate == Gate::kModulo && here.period == 0 && learns_around(function, r))
      heat.cap(Severity::kMedium, "it runs in the iterations that update the parameters", here.place);
    else if (here.gate != Gate::kValidation || !(recurs || (runs_each_step(heat) && !runs_layer(function, r))))
      frequency::pass_condition(heat, here, heat.hot, by_name ? words_ : no_words_);
    const bool of_guard = here.gate == Gate::kValidation && here.condition.empty();  // torch::NoGradGuard
    heat.conditional |= heat.hot && here.kind == Region::Kind::kBranch && !here.bare && !of_guard;
    // One iteration of the loop that launches GPU work is not every step; one of an inner loop is.
    if (here.gate == Gate::kOnce && heat.hot && heat.loop_function == function) {
      const int loop = here.once_in >= 0 ? here.once_in : innermost_loop(f, here.parent);
      if (loop >= 0 && code_.inside(f, heat.loop_region, loop))
        heat.drop("it runs in only one iteration of the loop", here.place);
    }
    if (r == 0 && recursive_[function] && (!heat.hot || heat.by == Heat::By::kEachCall))
      run_by(heat, Heat::By::kRecursion, function);
    if (here.kind != Region::Kind::kLoop || !region_launches_[function][r]) continue;
    if (heat.hot && heat.by != Heat::By::kEachCall) {
      if (heat.between_runs && goes_on(function, r)) {
        // Report the solver's iterations, not the loop that runs the solver again and again.
        heat.between_runs = heat.between_epochs = is_around_runs(function, r);
        heat.depth = 0;
        heat.loop_function = function;
        heat.loop_region = r;
        continue;
      }
      // The loop over the batches stands in the epoch's loop or in a function that trains; a loop over layers in what
      // is called once an epoch does not make it run every step.
      const bool in_training = function == heat.loop_function || frequency::trains_by_name(f, words_);
      if (steps_[function][r] || looks_like_steps(here, true) || recurs ||
          (in_training && !holds_steps_[function][r] && !frequency::goes_through(LoopKind::kLayers, here, words_)))
        heat.between_epochs = false;
      continue;
    }
    if (brief_[function][r]) continue;
    heat.between_epochs = is_epoch_loop(function, r);
    heat.between_runs = is_around_runs(function, r);
    heat.hot = true;
    heat.by = Heat::By::kLoop;
    heat.conditional = false;
    if (!learns_around(function, r)) frequency::pass_loop(heat, here, f, words_);
    heat.depth = 0;
    heat.loop_function = function;
    heat.loop_region = r;
  }
  return heat;
}

// Code that steps an optimizer trains, whatever it is called.
bool Program::learns_around(int function, int region) const {
  if (!learns_[function]) return false;
  const auto known = learning_loops_.find({function, region});
  if (known != learning_loops_.end()) return known->second;
  return learning_loops_[{function, region}] = learns_in(function, region);
}

// In every iteration of a loop that trains, with no condition on the way: whatever a function there is called, it is no
// evaluation beside the training.
bool Program::runs_each_step(const Heat& heat) const {
  return heat.hot && heat.by == Heat::By::kLoop && !heat.conditional && !heat.between_epochs &&
         heat.severity == Severity::kHigh && learns_around(heat.loop_function, heat.loop_region);
}

// Some call in the region leads to a layer of a network: where no gradients are computed, that is an evaluation.
// Without one it is part of the step, such as an update of the weights that is written by hand.
bool Program::runs_layer(int function, int region) const {
  const auto [known, fresh] = layers_in_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool runs = false;
  for (int e = 0; e < static_cast<int>(f.events.size()) && !runs; ++e)
    runs = code_.inside(f, f.events[e].region, region) && share().runs_layer({function, e});
  return layers_in_[{function, region}] = runs;
}

void Program::pass_function_name(Heat& heat, int function) const {
  if (!learns_[function] && !runs_each_step(heat)) frequency::pass_function(heat, code_.function(function), words_);
}

void Program::run_by(Heat& heat, Heat::By by, int function) const {
  heat.hot = true;
  heat.by = by;
  heat.called = &code_.function(function).name.str();
  heat.depth = 0;
  heat.loop_function = function;
  heat.loop_region = 0;
}

// Of a function that has `heat`: what its call brings to the callee.
Heat Program::heat_through(Heat heat, Site call, int callee) const {
  heat = descend(heat, call.function, code_.event(call).region);
  heat.depth += 1;
  heat.caller = call;
  heat.handed_by = {};
  pass_function_name(heat, callee);
  return heat;
}

// if (!init()) return; for (...) train(): init() says true once, and the loop that follows runs that once.
static bool is_behind_answer(const Function& f, int region) {
  if (f.regions[region].kind != Region::Kind::kLoop) return false;
  bool answered = false;
  for (int r = f.regions[region].parent; r > 0; r = f.regions[r].parent) {
    const Region& around = f.regions[r];
    if (around.kind == Region::Kind::kLoop) return false;
    const bool lazy = around.gate == facts::Gate::kLazy;
    if (lazy && around.question.function.empty()) return false;
    answered |= lazy;
  }
  return answered && !is_off(f, region);
}

void Program::compute_heat() {
  find_callbacks();
  heat_in_.assign(code_.count(), {});
  region_launches_.resize(code_.count());
  for (int f = 0; f < code_.count(); ++f) {
    for (int r = 0; r < static_cast<int>(code_.function(f).regions.size()); ++r) {
      const bool counts = effects_.of(f).launches || is_behind_answer(code_.function(f), r);
      region_launches_[f].push_back(counts && effects_.of_region(f, r).launches);
    }
  }
  find_step_loops();
  find_learning();
  find_runs();
  moves_.assign(code_.count(), false);
  for (int f = 0; f < code_.count(); ++f) moves_[f] = moves_content(f);
  find_recursion();
  std::deque<int> work;
  const auto start = [&](int f) {
    heat_in_[f].reached = true;
    heat_in_[f].from_main = code_.function(f).is_main;
    pass_function_name(heat_in_[f], f);
    work.push_back(f);
  };
  const auto take = [&](int callee, Heat heat) {
    heat.checks_only = heat.hot && beside_training(heat);
    if (heat.score() <= heat_in_[callee].score()) return;
    heat_in_[callee] = heat;
    work.push_back(callee);
  };
  const auto spread_through = [&](Site call, int callee) {
    const bool job = heat_in_[call.function].of_worker && code_.event(call).indirect;
    if (job && is_handed_over_outside_loops(callee)) return;
    if (runs_callback(call, callee)) return;  // the calls that hand it over bring its heat
    const Heat heat = heat_through(heat_in_[call.function], call, callee);
    take(callee, heat);
    const auto handed = callbacks_.find(call);
    if (handed == callbacks_.end()) return;
    for (const Callback& callback : handed->second) {
      if (callback.inside.function != callee) continue;
      Heat inside = heat_through(heat, callback.inside, callback.function);
      inside.handed_by = call;
      take(callback.function, inside);
    }
  };
  const auto spread = [&] {
    while (!work.empty()) {
      const int f = work.front();
      work.pop_front();
      for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
        for (int callee : graph_.callees({f, e})) spread_through({f, e}, callee);
      }
    }
  };
  const std::set<int> threads = thread_functions(code_, provenance_);
  for (int f = 0; f < code_.count(); ++f) {
    if (!graph_.callers(f).empty() || threads.count(f)) continue;
    start(f);
    drop_where_handed_over(f, heat_in_[f]);
    if (left_over_ && nobody_calls(f)) lower_dead_code(heat_in_[f], f, Severity::kMedium);
  }
  spread();
  // A thread beside a loop that launches GPU work prepares its data: its waits are off the critical path. Threads in a
  // program whose main thread has no such loop are the trainers themselves, one a device.
  const bool trains =
      std::any_of(heat_in_.begin(), heat_in_.end(), [](const Heat& h) { return h.hot; }) || feeds_itself();
  const std::map<int, Site> waits = waits_for_threads(code_, graph_, effects_, threads, [&](Site site) {
    const Heat here = heat_in_[site.function].reached ? heat(site) : Heat{};
    return here.hot && !here.dropped;
  });
  std::vector<bool> runs_layers;
  if (trains && !threads.empty()) {
    runs_layers = graph_.functions_that_come_to([&](const Event& event) {
      const ApiFact* fact = event.kind == Event::Kind::kTensor ? code_.api(event) : nullptr;
      return fact && fact->tensor == "layer";
    });
  }
  for (int f : threads) {
    if (heat_in_[f].reached || !graph_.callers(f).empty()) continue;
    start(f);
    // One that steps an optimizer is a trainer, whoever else trains. One that runs a network, as an actor that plays
    // games does, uses the GPU for itself: its waits delay its own kernels.
    const bool beside_trainer = trains && !trains_[f];
    if (beside_trainer && runs_layers[f])
      heat_in_[f].beside_trainer = true;
    else if (beside_trainer)
      heat_in_[f].drop("it runs on another thread than the loop that launches GPU work", code_.function(f).place);
    const auto wait = waits.find(f);
    if (wait == waits.end()) continue;
    // What it does for the loop that waits for it is the loop's.
    heat_in_[f] = descend(heat_in_[wait->second.function], wait->second.function, code_.event(wait->second).region);
    heat_in_[f].depth += 1;
    heat_in_[f].caller = wait->second;
    heat_in_[f].of_worker = true;
    pass_function_name(heat_in_[f], f);
  }
  spread();
  for (int f : entries(threads)) {
    run_by(heat_in_[f], Heat::By::kEachCall, f);
    work.push_back(f);
  }
  spread();
  // Functions that only call each other: start somewhere.
  for (int f = 0; f < code_.count(); ++f) {
    if (heat_in_[f].reached) continue;
    start(f);
    spread();
  }
  main_feeds_ =
      any_feeding_loop([&](int f, int r) { return heat_in_[f].from_main && !recursive_[f] && !brief_[f][r]; });
  loops_outside_constructors_ =
      any_feeding_loop([&](int f, int r) { return !is_constructor(code_.function(f)) && !brief_[f][r]; });
  heat_is_known_ = true;
}

// A loop that launches GPU work, and of which the test holds.
bool Program::any_feeding_loop(const std::function<bool(int function, int region)>& counts) const {
  for (int f = 0; f < code_.count(); ++f) {
    for (int r = 0; r < static_cast<int>(code_.function(f).regions.size()); ++r) {
      if (code_.function(f).regions[r].kind == Region::Kind::kLoop && region_launches_[f][r] && counts(f, r))
        return true;
    }
  }
  return false;
}

// Some function reached from no thread has a loop that launches.
bool Program::feeds_itself() const {
  return any_feeding_loop([&](int f, int) { return heat_in_[f].reached; });
}

Heat Program::heat(int function, int region) const {
  if (!heat_is_known_) return settle(descend(heat_in_[function], function, region));
  const auto known = heats_.find({function, region});
  if (known != heats_.end()) return known->second;
  return heats_[{function, region}] = settle(descend(heat_in_[function], function, region));
}

// What only the whole way to a place tells.
Heat Program::settle(Heat heat) const {
  if (!heat.hot) return heat;
  const Place& loop = code_.function(heat.loop_function).regions[heat.loop_region].place;
  if (heat.between_epochs && holds_steps(heat.loop_function, heat.loop_region, false))
    heat.cap(Severity::kMedium, "it runs between two epochs", loop);
  else if (heat.between_epochs && holds_steps(heat.loop_function, heat.loop_region, true))
    heat.cap_by_name(Severity::kMedium, "batch", "a loop inside this one goes through the batches of an epoch", loop);
  else if (heat.between_epochs && heat.severity == Severity::kHigh)
    heat.lower_by_name("epoch", "it runs between two epochs", loop);
  if (heat.between_runs) heat.cap(Severity::kMedium, "it runs once per run of an inner loop", loop);
  if (heat.by == Heat::By::kLoop && times_callbacks(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "this loop measures the time of what it is handed", loop);
  if (heat.by == Heat::By::kLoop && heat_is_known_ && repeats_for_timing(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "each iteration of this loop does the same work again, and its time is measured", loop);
  if (heat.by == Heat::By::kRecursion && main_feeds_)
    heat.drop("the recursion starts outside the loop that launches GPU work", loop);
  if (heat.beside_trainer) heat.cap(Severity::kMedium, "it runs on another thread than the one that trains", loop);
  heat.checks_only = beside_training(heat);
  if (heat.checks_only) heat.cap(Severity::kLow, "this loop trains nothing, and the program trains elsewhere", loop);
  if (heat.by == Heat::By::kLoop && heat_is_known_ && fills_before_training(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "each iteration works on arrays of its own, and the loop that trains comes later", loop);
  if (heat.by == Heat::By::kLoop && heat_is_known_ && is_constructor(code_.function(heat.loop_function)) &&
      loops_outside_constructors_ && !learns_around(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "this loop is a constructor's, and other loops train", loop);
  if (heat.by == Heat::By::kEachCall && heat.severity > Severity::kLow) {
    const Severity one_less = heat.severity == Severity::kHigh ? Severity::kMedium : Severity::kLow;
    heat.cap(one_less, "it is not known who calls this function and how often", loop);
    if (is_constructor(code_.function(heat.loop_function)))
      heat.cap(Severity::kLow, "a constructor runs once for each object", loop);
    if (whole_jobs_.count(heat.loop_function) != 0)
      heat.cap(Severity::kLow,
               "a call of it uploads its input, allocates, computes and downloads its result: a whole job", loop);
    if (left_over_ && nobody_calls(heat.loop_function))
      lower_dead_code(heat, heat.loop_function, usage_.unread ? Severity::kMedium : Severity::kLow);
  }
  return heat;
}

}  // namespace syncsniff::program
