#include "instrument/report/predictions.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace syncsniff::report {
namespace {

using timeline::Analysis;
using timeline::Tally;
using timeline::WhatIf;

const Tally& tally_of(const Analysis& analysis, const Line& line) {
  return analysis.steps.found() ? line.stepping : line.run;
}

// Number of launches left after the fix: one per chain for an elementwise chain, one for any other launch loop.
double launches_left(const Analysis& analysis, const Line& line, double launches) {
  if (line.finding == nullptr || line.finding->rule != "unfused-elementwise-chain") return 1;
  std::set<std::pair<std::string, uint32_t>> links;
  for (size_t strand : line.strands)
    links.insert({analysis.strands[strand].place.file, analysis.strands[strand].place.line});
  return launches / static_cast<double>(std::max<size_t>(1, links.size()));
}

WhatIf what_if_fixed(const Analysis& analysis, const std::vector<Line*>& lines) {
  WhatIf change;
  for (const Line* line : lines) {
    if (!line->launching) {
      for (size_t strand : line->strands) change.mended.push_back(static_cast<uint32_t>(strand));
      continue;
    }
    const Tally& tally = tally_of(analysis, *line);
    const double launches = static_cast<double>(tally.launches) / analysis.measured_steps();
    change.merged.push_back({launches, static_cast<double>(tally.launch_ns) / analysis.measured_steps(),
                             launches_left(analysis, *line, launches)});
  }
  return change;
}

// Divides the joint gain among the lines. Of two consecutive waits neither gains anything if fixed alone, so a line's
// share is the mean of what it gains if fixed first and if fixed last, scaled so that all shares add up to the gain of
// fixing all lines.
double share_out(const Analysis& analysis, const std::vector<Line*>& lines) {
  const double joint = analysis.replay.saving_ns(what_if_fixed(analysis, lines));
  double sum = 0;
  for (Line* line : lines) {
    std::vector<Line*> others;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(others), [&](Line* other) { return other != line; });
    const double last = std::max(0.0, joint - analysis.replay.saving_ns(what_if_fixed(analysis, others)));
    line->saves_ns = (line->alone_ns + last) / 2;
    sum += line->saves_ns;
  }
  for (Line* line : lines) line->saves_ns = sum > 0 ? line->saves_ns * joint / sum : 0;
  return joint;
}

}  // namespace

double predict_savings(const Analysis& analysis, std::vector<Line>& lines) {
  const bool usable = analysis.predicts();
  std::vector<Line*> weighty;
  for (Line& line : lines) {
    if (line.strands.empty()) continue;
    const Tally& tally = tally_of(analysis, line);
    const auto costs = static_cast<double>(line.launching ? tally.launch_ns : tally.blocked_ns + tally.saving_ns);
    // A line cannot gain more than the measured time, however many threads wait in it.
    const double bound = std::min(costs, static_cast<double>(analysis.measured_ns()));
    line.alone_ns =
        usable ? analysis.replay.saving_ns(what_if_fixed(analysis, {&line})) : bound / analysis.measured_steps();
    line.saves_ns = line.alone_ns;
    if (line.verdict != Verdict::kCheap) weighty.push_back(&line);
  }
  return usable ? share_out(analysis, weighty) : 0;
}

}  // namespace syncsniff::report
