// scalar-readback: each step copies a few bytes back from the GPU, such as a loss, a norm or a flag.
#include <set>
#include <string_view>
#include <tuple>

#include "analyzer/checks/branches.h"
#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/device_algorithms.h"
#include "analyzer/checks/launch_count.h"
#include "analyzer/checks/mirror_classes.h"
#include "analyzer/checks/pointer_modes.h"

namespace syncsniff::checks {

namespace {

// The number of calls in the source text. One function may be several in the program, one for each class of its object
// (known_receivers.h), but its calls are at the same places.
size_t calls_written(const Program& program, int function) {
  std::set<std::tuple<std::string_view, unsigned>> places;
  for (const Site& call : program.callers(function))
    places.emplace(program.event(call).place.file, program.event(call).place.offset);
  return places.size();
}

// Whether the function launches little and waits once, to return a value: float total(x) { reduce<<<...>>>(x, sum);
// copy sum; return it; }. Each call of it in the loop is then reported as a wait of its own.
bool reads_back_for_callers(const Program& program, int function) {
  constexpr size_t kMostEvents = 32;
  constexpr int kMostLaunches = 4;
  const auto& f = program.function(function);
  if (f.is_main || f.events.size() > kMostEvents || calls_written(program, function) < 2) return false;
  int waits = 0, launches = 0;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Site site{function, e};
    for (int r = f.events[e].region; r >= 0; r = f.regions[r].parent) {
      if (f.regions[r].kind == Region::Kind::kLoop && program.effects_of(site).enqueues) return false;
    }
    waits += program.effects_of(site).waits;
    if (program.effects_of(site).launches) launches += launches_behind(program, site, kMostLaunches);
  }
  return waits == 1 && launches <= kMostLaunches;
}

void copies(const Program& program, Reporter& reporter) {
  const auto copying = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && waits(event, fact);
  };
  const Opens opens = [&](int f) { return program.wrappers().is_wrapper(f) || reads_back_for_callers(program, f); };
  const double most_bytes = most_scalar_bytes(reporter);
  const MirrorClasses mirrors(program);
  for (const Located& where : hot_calls(program, copying, opens)) {
    const Copy copy = read_copy(program, where);
    if (mirrors.is_lazy(where)) continue;  // blocking-copy-in-loop reports it, with the access that makes it necessary
    if (copy.direction != Direction::kDeviceToHost || !is_scalar(copy, most_bytes)) continue;
    const Event& event = program.event(where.api);
    Finding& finding = reporter.report("scalar-readback", program, where,
                                       event.callee.name + " fetches " + human_bytes(copy.bytes) +
                                           " from the GPU and waits for them, " + often(where.heat));
    report_as_branch(program, where, copy.host_arg, finding, reporter);
  }
}

void host_results(const Program& program, Reporter& reporter) {
  const PointerModes modes(program);
  // The old cuBLAS interface without handles returns the result: float cublasSnrm2(n, x, 1).
  const auto computes_and_waits = [](const ApiFact& fact) {
    return fact.blocks == Blocks::kAlways && fact.waits_for == WaitsFor::kResult && fact.launches_kernel;
  };
  const auto with_result = [&](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi &&
           (fact.blocks == Blocks::kHostResult || computes_and_waits(fact) ||
            (fact.blocks == Blocks::kHostPolicy && fact.waits_for == WaitsFor::kResult));
  };
  for (const Located& where : hot_calls(program, with_result)) {
    const Event& event = program.event(where.api);
    const ApiFact* fact = program.api(event);
    if (fact->blocks == Blocks::kHostResult) {
      if (modes.may_be_device(where)) continue;
      const bool has = fact->result_arg >= 0 && fact->result_arg < static_cast<int>(event.args.size());
      if (has && program.origins(event.args[fact->result_arg].value, program.reading(where.api), where.context())
                     .has(MemoryKind::kDevice))
        continue;
    } else if (!computes_and_waits(*fact) && !runs_on_device(program, where)) {
      continue;
    }
    Finding& finding =
        reporter.report("scalar-readback", program, where,
                        event.callee.name + " returns its result to the host and waits for it, " + often(where.heat));
    report_as_branch(program, where, fact->blocks == Blocks::kHostResult ? fact->result_arg : kNoArg, finding,
                     reporter);
  }
}

}  // namespace

void scalar_readback(const Program& program, Reporter& reporter) {
  copies(program, reporter);
  host_results(program, reporter);
}

}  // namespace syncsniff::checks
