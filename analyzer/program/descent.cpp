#include "analyzer/program/descent.h"

#include <algorithm>
#include <vector>

#include "analyzer/frequency/gates.h"
#include "analyzer/program/element_share.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

void cap_evaluation(Heat& heat, bool in_loop, const Place& place) {
  if (in_loop)
    heat.cap(Severity::kMedium,
             "another loop of this function trains with the same kernels and more; this one evaluates", place);
  else
    heat.cap(Severity::kLow,
             "another loop of this function trains with the same kernels and more; this one, which is in no loop "
             "itself, evaluates",
             place);
}

}  // namespace

Descent::Descent(const Linked& linked, const Loops& loops, const ElementShare& share, const Words& words)
    : code_(linked.code),
      effects_(linked.effects),
      learning_(linked.learning),
      loops_(loops),
      share_(share),
      words_(words),
      ending_flags_(linked.code, linked.graph) {}

Heat Descent::descend(Heat heat, int function, int region) const {
  const Function& f = code_.function(function);
  leave_worker_loop(heat, f, region);
  std::vector<int> chain;
  for (int r = region; r >= 0; r = f.regions[r].parent) chain.push_back(r);
  std::reverse(chain.begin(), chain.end());
  const bool recurs = std::any_of(chain.begin(), chain.end(), [&](int r) { return recurs_over_rows(function, r); });
  for (int r : chain) {
    const Region& here = f.regions[r];
    if (r == 0 && loops_.moves_content[function])
      heat.cap(Severity::kLow, "it copies data to a larger allocation", here.place);
    pass_gate(heat, function, r, recurs);
    if (r == 0 && loops_.recursive[function] && (!heat.hot || heat.by == Heat::By::kEachCall))
      heat.run_by(Heat::By::kRecursion, code_, function);
    if (!loops_.feeding.is_feeding_loop(function, r)) continue;
    const bool inner = heat.hot && heat.by != Heat::By::kEachCall;
    if (loops_.evaluations.is_evaluation(function, r)) cap_evaluation(heat, inner, here.place);
    if (inner) {
      pass_inner_loop(heat, function, r, recurs);
      continue;
    }
    if (loops_.setup.is_brief(function, r)) continue;
    pass_outer_loop(heat, function, r);
  }
  return heat;
}

// What a worker does outside of the loop in which it waits for work does not have the heat of those who feed it.
void Descent::leave_worker_loop(Heat& heat, const Function& f, int region) const {
  if (heat.worker_loop >= 0 && !code_.inside(f, region, heat.worker_loop)) {
    heat = {};
    heat.reached = true;
    heat.drop(f.resumed_loop >= 0 ? "it runs once, before or after the loop in which the coroutine is suspended"
                                  : "it runs once, where a thread starts or ends",
              f.place);
  }
  heat.worker_loop = -1;
}

// Whether code that runs without gradients belongs to the training rather than to an evaluation: it runs in each step
// and no network runs in it.
bool Descent::passes_validation(const Heat& heat, int function, int region, bool recurs) const {
  return recurs || (runs_each_step(heat) && !runs_layer(function, region));
}

void Descent::pass_gate(Heat& heat, int function, int region, bool recurs) const {
  const Function& f = code_.function(function);
  const Region& here = f.regions[region];
  const auto learns = [&] { return learning_.learns_around(function, region); };
  // if (!ready) { upload(); ready = true; } in a function that code of unknown source calls repeatedly.
  if (here.gate == Gate::kLazy && here.question.function.empty() && !heat.hot && !heat.from_main) heat.first_use = true;
  // if (step % accumulated == 0) optimizer.step(): unlike logging and saving, this is not rare; it is the training
  // step.
  if (here.gate == Gate::kModulo && here.period == 0 && learns())
    heat.cap(Severity::kMedium, "it runs in the iterations that update the parameters", here.place);
  else if (here.gate != Gate::kValidation || !passes_validation(heat, function, region, recurs))
    frequency::pass_condition(heat, here, heat.hot, !here.named.empty() && !learns() ? words_ : no_words_);
  const bool of_guard = here.gate == Gate::kValidation && here.condition.empty();  // torch::NoGradGuard
  if (heat.hot && !heat.condition && here.kind == Region::Kind::kBranch && !here.bare && !of_guard)
    heat.condition = &here;
  if (heat.hot && heat.by == Heat::By::kLoop && heat.loop_function >= 0 &&
      ending_flags_.ends(heat.loop_function, heat.loop_region, function, region))
    heat.drop("the loop ends with the iteration in which it runs", here.place);
  // Code that runs in one iteration of the loop that launches GPU work does not run in every step. If it is one
  // iteration of an inner loop, it does.
  if (here.gate == Gate::kOnce && heat.hot && heat.loop_function == function) {
    const int loop = here.once_in >= 0 ? here.once_in : innermost_loop(f, here.parent);
    if (loop >= 0 && code_.inside(f, heat.loop_region, loop))
      heat.drop("it runs in only one iteration of the loop", here.place);
  }
}

// Handles a loop that launches GPU work and is in no other such loop.
void Descent::pass_outer_loop(Heat& heat, int function, int region) const {
  const bool learns = learning_.learns_around(function, region);
  if (heat.first_use && !learns) return;
  const Function& f = code_.function(function);
  heat.between_epochs = loops_.epochs.is_epoch_loop(function, region);
  heat.between_runs = loops_.runs.is_around_runs(function, region);
  heat.hot = true;
  heat.by = Heat::By::kLoop;
  heat.condition = nullptr;
  if (!learns) frequency::pass_loop(heat, f.regions[region], f, words_);
  heat.depth = 0;
  heat.loop_function = function;
  heat.loop_region = region;
}

// Handles a loop that launches GPU work inside another such loop.
void Descent::pass_inner_loop(Heat& heat, int function, int region, bool recurs) const {
  if (heat.between_runs && loops_.runs.goes_on(function, region)) {
    // Report the solver's iterations, not the loop that runs the solver again and again.
    heat.between_runs = heat.between_epochs = loops_.runs.is_around_runs(function, region);
    heat.depth = 0;
    heat.loop_function = function;
    heat.loop_region = region;
    return;
  }
  // The loop over the batches is in the epoch loop itself or in a function that trains. A loop over layers in a
  // function called once per epoch does not make its code run in every step.
  const Function& f = code_.function(function);
  const Region& here = f.regions[region];
  const Epochs& epochs = loops_.epochs;
  const bool in_training = function == heat.loop_function || frequency::trains_by_name(f, words_);
  if (epochs.steps(function, region) || epochs.looks_like_steps(here, true) || recurs ||
      (in_training && !epochs.holds_step_loop(function, region) &&
       !frequency::goes_through(LoopKind::kLayers, here, words_)))
    heat.between_epochs = false;
}

// Whether the place runs in every iteration of a training loop, without a condition. It is then no evaluation, whatever
// its function is called.
bool Descent::runs_each_step(const Heat& heat) const {
  return heat.hot && heat.by == Heat::By::kLoop && !heat.condition && !heat.between_epochs &&
         heat.severity == Severity::kHigh && learning_.learns_around(heat.loop_function, heat.loop_region);
}

// Whether some call in the region leads to a layer of a network. If gradients are off, this is an evaluation; without a
// layer it is part of the step, such as a hand-written update of the weights.
bool Descent::runs_layer(int function, int region) const {
  const auto [known, fresh] = layers_in_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool runs = false;
  for (int e = 0; e < static_cast<int>(f.events.size()) && !runs; ++e)
    runs = code_.inside(f, f.events[e].region, region) && share_.runs_layer({function, e});
  return layers_in_[{function, region}] = runs;
}

// Whether the loop is a recurrence over rows, such as advantages over the steps of a rollout: last = delta[t] + last *
// decay. Each iteration continues from the last one with pointwise work on the rows selected by the index. It runs once
// per step, and since no network runs in it, the absence of gradients does not make it validation.
bool Descent::recurs_over_rows(int function, int region) const {
  const Function& f = code_.function(function);
  if (f.regions[region].kind != Region::Kind::kLoop || !f.regions[region].carries_value) return false;
  const auto [known, fresh] = recurrences_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  bool picks = false, works = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region)) continue;
    const ApiFact* fact = event.kind == Event::Kind::kTensor ? code_.api(event) : nullptr;
    const bool pointwise = fact && (fact->tensor == "elementwise" || event.callee.id == "at::Tensor::copy_");
    if (!pointwise && (!fact || fact->tensor != "shape_only") && effects_.of({function, e}).launches) return false;
    works |= pointwise;
    picks |= fact && passes_index(event, region);
  }
  return known->second = picks && works;
}

void Descent::pass_resumption(Heat& heat, Site call, int callee) const {
  const Function& f = code_.function(callee);
  if (f.resumed_loop >= 0 && code_.event(call).callee.id == f.resumed_as) heat.worker_loop = f.resumed_loop;
}

void Descent::pass_function_name(Heat& heat, int function) const {
  if (!learning_.learns(function) && !runs_each_step(heat))
    frequency::pass_function(heat, code_.function(function), words_);
}

Heat Descent::through(Heat heat, Site call, int callee) const {
  heat = descend(heat, call.function, code_.event(call).region);
  heat.depth += 1;
  heat.caller = call;
  heat.handed_by = {};
  pass_resumption(heat, call, callee);
  pass_function_name(heat, callee);
  return heat;
}

}  // namespace syncsniff::program
