// launch-bound-step: each iteration of a loop launches the same long sequence of kernels, which a CUDA graph would
// launch in one call.
#include <algorithm>
#include <map>

#include "analyzer/checks/check.h"
#include "analyzer/checks/timed_spans.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

// The launches of one iteration, as far as the source is known.
struct Sequence {
  double launches = 0;
  bool fixed = true;  // it does not wait, allocate or branch, and all of its source is known
  Site first;

  void add(const Sequence& other, double times) {
    if (!launches && other.launches) first = other.first;
    launches += times * other.launches;
    fixed &= other.fixed;
  }
};

class Counter {
 public:
  explicit Counter(const Program& program) : program_(program) {}

  // The launches of one execution of `region`.
  Sequence of(int function, int region) {
    const auto known = known_.find({function, region});
    if (known != known_.end()) return known->second;
    known_[{function, region}].fixed = false;  // the function calls itself: no fixed sequence
    Sequence sequence;
    const auto& f = program_.function(function);
    sequence.fixed = f.labels.empty();
    for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
      if (!program_.inside(f, f.events[e].region, region) || program::is_off_or_once(f, f.events[e].region)) continue;
      const Sequence one = of_event({function, e});
      if (one.launches && !one.fixed) sequence.fixed = false;
      sequence.fixed &= one.fixed;
      if (!one.launches) continue;
      double times = 1;
      for (int r = f.events[e].region; r != region && r >= 0; r = f.regions[r].parent) {
        if (f.regions[r].kind == Region::Kind::kLoop)
          times *= static_cast<double>(std::max(1L, f.regions[r].trips));
        else if (!f.regions[r].bare)
          sequence.fixed = false;  // some iterations skip it
      }
      sequence.add(one, times);
    }
    return known_[{function, region}] = sequence;
  }

 private:
  Sequence of_event(Site site) {
    const Event& event = program_.event(site);
    const ApiFact* fact = program_.api(event);
    const auto effects = program_.effects_of(site);
    Sequence one;
    one.first = site;
    const bool makes = fact && (fact->allocates != MemoryKind::kUnknown || fact->frees != MemoryKind::kUnknown ||
                                !fact->creates.empty() || !fact->destroys.empty() || !fact->capture.empty());
    const bool on_device = fact && (fact->allocates == MemoryKind::kPageable || fact->frees == MemoryKind::kPageable);
    one.fixed = !effects.waits && !effects.unknown && (!makes || on_device);
    if (!effects.launches) return one;
    const bool itself =
        event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kTensor || (fact && fact->launches_kernel);
    const auto& callees = program_.callees(site);
    if (itself || callees.size() != 1) {
      one.launches = 1;
      one.fixed &= itself;
      return one;
    }
    const Sequence inner = of(callees[0], 0);
    one.launches = inner.launches;
    one.fixed &= inner.fixed;
    return one;
  }

  const Program& program_;
  std::map<std::pair<int, int>, Sequence> known_;
};

}  // namespace

void launch_bound_step(const Program& program, Reporter& reporter) {
  const double least = reporter.threshold("launch-bound-step", "min_launches");
  Counter counter(program);
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    std::vector<int> reported_loops;
    // Inner loops have higher region numbers: the loop over steps is reported, not the loop over epochs around it.
    for (int r = static_cast<int>(function.regions.size()) - 1; r > 0; --r) {
      if (function.regions[r].kind != Region::Kind::kLoop || !program.loops().feeding.launches(f, r)) continue;
      if (std::any_of(reported_loops.begin(), reported_loops.end(),
                      [&](int inner) { return program.inside(function, inner, r); }))
        continue;
      const Sequence sequence = counter.of(f, r);
      if (!sequence.fixed || sequence.launches < least) continue;
      const Located where = located_at(sequence.first, program.hotness().heat(f, r), r);
      if (!where.heat.hot || where.heat.dropped) continue;
      reported_loops.push_back(r);
      Finding& finding = reporter.report(
          "launch-bound-step", program, where,
          "this loop launches the same " + std::to_string(static_cast<long>(sequence.launches)) +
              " kernels or more in every iteration, one by one; a CUDA graph launches them all in one call");
      finding.callee.clear();  // the finding is about all launches of the loop
      finding.location = to_location(function.regions[r].place);
      finding.scope = to_location(function.regions[r].whole);
      finding.function = function.name;
    }
  }
}

}  // namespace syncsniff::checks
