#include "analyzer/program/hotness.h"

namespace syncsniff::program {

Hotness::Hotness(const Linked& linked, const Loops& loops, const Descent& descent, const ElementShare& share,
                 const HeatSpread& spread, bool left_over)
    : linked_(linked),
      code_(linked.code),
      loops_(loops),
      descent_(descent),
      heat_in_(spread.heat_in()),
      whole_jobs_(spread.whole_jobs()),
      filling_(linked, loops, share, heat_in_),
      later_loops_(linked, loops),
      left_over_(left_over) {
  main_feeds_ = loops.feeding.any(
      [&](int f, int r) { return heat_in_[f].from_main && !loops.recursive[f] && !loops.setup.is_brief(f, r); });
  loops_outside_constructors_ = loops.feeding.any(
      [&](int f, int r) { return !is_constructor(code_.function(f)) && !loops.setup.is_brief(f, r); });
}

Heat Hotness::heat(int function, int region) const {
  const auto known = heats_.find({function, region});
  if (known != heats_.end()) return known->second;
  return heats_[{function, region}] = settle(descent_.descend(heat_in_[function], function, region));
}

Heat Hotness::settle(Heat heat) const {
  if (!heat.hot) return heat;
  const Place& loop = code_.function(heat.loop_function).regions[heat.loop_region].place;
  if (heat.between_epochs) settle_between_epochs(heat, loop);
  if (heat.between_runs) heat.cap(Severity::kMedium, "it runs once per run of an inner loop", loop);
  if (heat.by == Heat::By::kLoop && loops_.repetitions.times_callbacks(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "this loop measures how long the function passed to it takes", loop);
  if (heat.by == Heat::By::kLoop && loops_.repetitions.repeats_for_timing(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "each iteration of this loop does the same work again, and its time is measured", loop);
  if (heat.by == Heat::By::kLoop && loops_.repetitions.is_around_timing(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "each iteration of this loop measures the time of work that it repeats", loop);
  if (heat.by == Heat::By::kRecursion && main_feeds_) settle_recursion(heat, loop);
  if (heat.by == Heat::By::kLoop && loops_.rounds.warms_up(heat.loop_function, heat.loop_region) != Rounds::WarmUp::kNo)
    heat.cap(Severity::kMedium, "these are a few rounds, and a later loop of the function launches the same", loop);
  if (heat.beside_trainer) heat.cap(Severity::kMedium, "it runs on another thread than the one that trains", loop);
  heat.checks_only = is_beside_training(heat, heat_in_, linked_.learning);
  if (heat.checks_only) heat.cap(Severity::kLow, "this loop trains nothing, and the program trains elsewhere", loop);
  if (heat.by == Heat::By::kLoop) settle_filling(heat, loop);
  if (heat.by == Heat::By::kLoop && is_constructor(code_.function(heat.loop_function)) && loops_outside_constructors_ &&
      !linked_.learning.learns_around(heat.loop_function, heat.loop_region))
    heat.cap(Severity::kLow, "this loop is a constructor's, and other loops train", loop);
  if (heat.by == Heat::By::kEachCall && heat.severity > Severity::kLow) settle_each_call(heat);
  return heat;
}

void Hotness::settle_filling(Heat& heat, const Place& loop) const {
  switch (filling_.fills_before(heat.loop_function, heat.loop_region)) {
    case Filling::Later::kNothing:
      break;
    case Filling::Later::kTraining:
      heat.cap(Severity::kLow, "each iteration works on arrays of its own, and the loop that trains comes later", loop);
      break;
    case Filling::Later::kCallbacks:
      heat.cap(Severity::kLow, "each iteration works on arrays of its own, before a library runs the callbacks", loop);
      break;
  }
}

void Hotness::settle_recursion(Heat& heat, const Place& loop) const {
  if (later_loops_.begin_after_recursion(heat.loop_function))
    heat.drop("the recursion starts before a loop that launches GPU work", loop);
  else
    heat.cap(Severity::kMedium, "the recursion starts outside the loop that launches GPU work", loop);
}

void Hotness::settle_between_epochs(Heat& heat, const Place& loop) const {
  if (loops_.epochs.holds_steps(heat.loop_function, heat.loop_region, false))
    heat.cap(Severity::kMedium, "it runs between two epochs", loop);
  else if (loops_.epochs.holds_steps(heat.loop_function, heat.loop_region, true))
    heat.cap(Severity::kMedium,
             "it runs between two epochs: 'batch' in the name of what a loop inside this one goes through", loop,
             frequency::Evidence::kName);
  else if (heat.severity == Severity::kHigh)
    heat.lower_by_name("epoch", "it runs between two epochs", loop);
}

void Hotness::settle_each_call(Heat& heat) const {
  const Function& function = code_.function(heat.loop_function);
  const Place& loop = function.regions[heat.loop_region].place;
  const Severity one_less = heat.severity == Severity::kHigh ? Severity::kMedium : Severity::kLow;
  heat.cap(one_less, "it is not known who calls this function and how often", loop);
  if (is_constructor(function)) heat.cap(Severity::kLow, "a constructor runs once for each object", loop);
  if (whole_jobs_.count(heat.loop_function) != 0)
    heat.cap(Severity::kLow,
             "a call of it uploads its input, allocates, computes and downloads its result: a whole job", loop);
  if (left_over_ && linked_.outside.nobody_calls(heat.loop_function))
    lower_dead_code(heat, function, linked_.usage.unread ? Severity::kMedium : Severity::kLow);
}

}  // namespace syncsniff::program
