#include "instrument/timeline/analysis.h"

#include <set>

namespace syncsniff::timeline {
namespace {

void add(Totals& totals, const Tally& tally) {
  totals.blocked_ns += tally.blocked_ns;
  totals.idle_ns += tally.idle_ns;
  totals.saving_ns += tally.saving_ns;
  totals.launches += tally.launches;
  if (tally.blocked_ns != 0) totals.waits += tally.calls;
}

}  // namespace

Analysis analyse(const reader::Trace& trace, const reader::Places& places, const StepChoice& choice) {
  Analysis analysis;
  const uint64_t end = trace.end_ns();
  analysis.run_ns = end > trace.begin_ns() ? end - trace.begin_ns() : 0;
  analysis.steps = find_steps(trace, places, choice);
  analysis.strands = build_strands(trace, places, analysis.steps);
  analysis.replay = build_replay(trace, analysis.steps, analysis.strands);
  analysis.sites = merge_by_place(analysis.strands);
  for (const Site& site : analysis.sites) {
    add(analysis.run, site.run);
    add(analysis.stepping, site.stepping);
    add(analysis.start_up, site.start_up);
    add(analysis.left_out, site.left_out);
  }
  analysis.steps.launches = static_cast<double>(analysis.stepping.launches) / analysis.measured_steps();
  if (!trace.gpu_work.empty()) analysis.devices = build_gpu_timelines(trace, places, analysis.steps);
  if (!trace.gpu_work.empty() && analysis.devices.empty()) {
    Steps none;
    none.launches = analysis.steps.launches;
    analysis.outside_steps = build_gpu_timelines(trace, places, none);
  }
  analysis.sent_again = find_sent_again(trace, places, analysis.steps);
  std::set<uint32_t> devices;
  for (const auto& call : trace.calls) devices.insert(call.record.device);
  if (devices.empty())  // a program that only launches: its calls are counted, not listed
    for (const auto& count : trace.site_counts) devices.insert(count.record.device);
  analysis.device_ids.assign(devices.begin(), devices.end());
  return analysis;
}

}  // namespace syncsniff::timeline
