#include "instrument/report/verdicts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "instrument/report/path_match.h"
#include "instrument/report/predictions.h"
#include "instrument/report/spelling.h"
#include "rules/thresholds.h"

namespace syncsniff::report {
namespace {

using timeline::Analysis;
using timeline::Site;
using timeline::Tally;

// A line with this many times min_share_pct counts, however short its single waits are.
constexpr double kLargeShareFactor = 5;

enum class Measure { kWaits, kLaunches, kNothing };

Measure measure_of(const StaticSide& side, const std::string& rule) {
  const auto it = side.rules.find(rule);
  if (it == side.rules.end()) return Measure::kWaits;
  const std::map<std::string, double>& thresholds = it->second.thresholds;
  if (thresholds.count(kMinLaunchesPerStep) != 0) return Measure::kLaunches;
  return thresholds.count(kMinWaitUs) != 0 ? Measure::kWaits : Measure::kNothing;
}

bool covers(const Location& range, const reader::Frame& frame) {
  if (range.line == 0 || frame.line < range.line || frame.line > std::max(range.line, range.end_line)) return false;
  return common_suffix(range.file, frame.file) > 0;
}

// True if the shim records the calls of this finding. It does not record the creation of events, which takes less time
// than writing a record would.
bool is_recorded(const StaticSide& side, const Finding& finding) {
  const ApiFact* fact = side.apis.find(finding.callee);
  return fact == nullptr || fact->creates != "event";
}

class Judge {
 public:
  Judge(const reader::Places& places, const Analysis& analysis, const StaticSide& side)
      : places_(places), analysis_(analysis), side_(side), matched_(side.findings.size()) {}

  Verdicts run() {
    for (const Finding& finding : side_.findings) measures_.push_back(measure_of(side_, finding.rule));
    for (size_t i = 0; i < analysis_.strands.size(); ++i) assign(i);
    for (size_t i = 0; i < side_.findings.size(); ++i)
      if (!side_.findings[i].allowed) add_finding(i);
    add_run_only();
    merge_same_calls();
    verdicts_.joint_saving_ns = predict_savings(analysis_, verdicts_.lines);
    std::stable_sort(verdicts_.lines.begin(), verdicts_.lines.end(),
                     [this](const Line& a, const Line& b) { return rank(a) > rank(b); });
    return std::move(verdicts_);
  }

 private:
  bool has_lines() const {
    return std::any_of(analysis_.strands.begin(), analysis_.strands.end(),
                       [](const Site& s) { return s.place.line != 0; });
  }
  bool by_step() const { return analysis_.steps.found(); }
  uint64_t whole_ns() const { return analysis_.measured_ns(); }
  const Tally& tally_of(const Line& line) const { return by_step() ? line.stepping : line.run; }

  // If steps are not certain, module loads cannot be distinguished from start-up, so they are not ranked.
  bool paid_once(const Site& strand) const {
    return strand.call_class == trace::CallClass::kModuleLoad && !analysis_.steps_are_sure();
  }

  double per() const { return analysis_.measured_steps(); }

  std::tuple<int, double, uint64_t> rank(const Line& line) const {
    const bool measured =
        line.verdict == Verdict::kConfirmed || line.verdict == Verdict::kRunOnly || line.verdict == Verdict::kCheap;
    const int group = !measured ? 0 : line.verdict == Verdict::kCheap ? 1 : 2;
    return {group, line.saves_ns, tally_of(line).blocked_ns};
  }

  // Assigns a strand to the findings at the innermost frame of its stack that any finding covers; the best path match
  // counts.
  void assign(size_t index) {
    const Site& strand = analysis_.strands[index];
    if (paid_once(strand)) return;
    const bool launching = strand.run.launches != 0;
    bool launches_done = !launching, waits_done = strand.run.calls == 0 && strand.run.idle_ns == 0;
    bool named = false;
    for (const reader::Frame& frame : places_.stack(strand.stacks[0]).frames) {
      if (frame.line == 0 || (launches_done && waits_done)) continue;
      bool launch_hit = false, wait_hit = false;
      for (size_t f : closest(frame)) {
        const bool by_launch = measures_[f] == Measure::kLaunches;
        if (by_launch ? launches_done : waits_done) continue;
        (by_launch ? launch_hit : wait_hit) = true;
        matched_[f].push_back(index);
        silent_.resize(analysis_.strands.size());
        if (side_.findings[f].allowed) silent_[index] = true;
        named = true;
      }
      launches_done |= launch_hit;
      waits_done |= wait_hit;
    }
    if (named) named_.insert(index);
  }

  std::vector<size_t> closest(const reader::Frame& frame) const {
    int best = 0;
    std::vector<size_t> hits;
    for (size_t f = 0; f < side_.findings.size(); ++f) {
      const Finding& finding = side_.findings[f];
      if (measures_[f] == Measure::kNothing) continue;
      const bool whole = measures_[f] == Measure::kLaunches && finding.scope.line != 0;
      const Location& range = whole ? finding.scope : finding.location;
      // An allocation and the free of its buffer belong to one finding.
      const bool frees = !covers(range, frame) && covers(finding.release, frame);
      if (!frees && !covers(range, frame)) continue;
      const int shared = common_suffix(frees ? finding.release.file : range.file, frame.file);
      if (shared > best) hits.clear(), best = shared;
      if (shared == best) hits.push_back(f);
    }
    return hits;
  }

  void add_finding(size_t index) {
    const Finding& finding = side_.findings[index];
    Line line;
    line.finding = &finding;
    line.place = {finding.location.file, finding.location.line, finding.function, 0};
    line.launching = measures_[index] == Measure::kLaunches;
    line.strands = matched_[index];
    auto rule = side_.rules.find(finding.rule);
    line.fix = !finding.fix.description.empty() ? finding.fix.description
               : rule != side_.rules.end()      ? rule->second.fix
                                                : "";
    sum(line);
    if (measures_[index] == Measure::kNothing) {
      line.verdict = Verdict::kNotMeasured;
      line.why_not = "a run does not record what this rule checks";
    } else if (line.strands.empty() && !is_recorded(side_, finding)) {
      line.verdict = Verdict::kNotMeasured;
      line.why_not = "a run does not record the creation of events, which takes about a microsecond";
    } else if (line.strands.empty()) {
      line.verdict = has_lines() ? Verdict::kNotExecuted : Verdict::kNotMeasured;
      if (!has_lines()) line.why_not = "no stack has line information: compile with -g";
    } else {
      line.verdict = weighs(line, finding.rule) ? Verdict::kConfirmed : Verdict::kCheap;
    }
    verdicts_.lines.push_back(std::move(line));
  }

  void sum(Line& line) const {
    std::map<std::string, uint64_t> ns_of;  // by function
    for (size_t s : line.strands) {
      const Site& strand = analysis_.strands[s];
      if (line.launching && strand.run.launches == 0) continue;
      line.run += strand.run;
      line.stepping += strand.stepping;
      const Tally& tally = by_step() ? strand.stepping : strand.run;
      ns_of[strand.api] += line.launching ? tally.launch_ns : tally.blocked_ns;
    }
    if (ns_of.empty()) return;
    // The line's name is that of the call that takes most of its time.
    auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
    const std::string& first = std::max_element(ns_of.begin(), ns_of.end(), less)->first;
    const auto others = std::count_if(ns_of.begin(), ns_of.end(),
                                      [&](const auto& api) { return api.second != 0 && api.first != first; });
    const std::string more = others == 0 ? "" : " +" + std::to_string(others);
    const std::string named = line.finding != nullptr ? callee_spelling(line.finding->callee) : "";
    line.what = first + more;
    line.call = !line.launching && !named.empty() ? named : user_spelling(first) + more;
  }

  // True if the line is worth reporting, judged by its share of the step (or run), and by its cost per step (or call).
  bool weighs(const Line& line, const std::string& rule) const {
    const Tally& tally = tally_of(line);
    const double whole = static_cast<double>(std::max<uint64_t>(1, whole_ns()));
    const double per = by_step() ? static_cast<double>(analysis_.steps.regular.size())
                                 : static_cast<double>(std::max<uint64_t>(1, line.launching ? 1 : tally.calls));
    const double min_share = threshold(side_, rule, kMinSharePct, kDefaultMinSharePct);
    const auto cost = static_cast<double>(line.launching ? tally.launch_ns : tally.blocked_ns + tally.saving_ns);
    const double share = 100 * cost / whole;
    if (line.launching && by_step()) {
      const double launches = static_cast<double>(tally.launches) / per;
      if (launches < threshold(side_, rule, kMinLaunchesPerStep, kDefaultMinLaunches)) return false;
      return share >= min_share;
    }
    const bool long_enough = cost / per >= 1000 * threshold(side_, rule, kMinWaitUs, kDefaultMinWaitUs);
    return share >= min_share && (long_enough || share >= kLargeShareFactor * min_share);
  }

  void add_run_only() {
    std::vector<Site> rest;
    for (size_t i = 0; i < analysis_.strands.size(); ++i) {
      if (i < silent_.size() && silent_[i]) ++verdicts_.silenced;
      if (named_.count(i) == 0 && !paid_once(analysis_.strands[i])) rest.push_back(analysis_.strands[i]);
    }
    for (const Site& site : timeline::merge_by_place(rest)) {
      const Tally& tally = by_step() ? site.stepping : site.run;
      if (tally.blocked_ns == 0 && tally.idle_ns == 0) continue;
      Line line;
      line.place = site.place;
      line.what = site.api;
      line.call = user_spelling(site.api);
      line.run = site.run;
      line.stepping = site.stepping;
      for (size_t i = 0; i < analysis_.strands.size(); ++i)
        if (std::binary_search(site.stacks.begin(), site.stacks.end(), analysis_.strands[i].stacks[0]) &&
            analysis_.strands[i].api == site.api)
          line.strands.push_back(i);
      if (weighs(line, "sync-in-loop"))
        verdicts_.lines.push_back(std::move(line));
      else
        ++verdicts_.minor;
    }
  }

  // Two rules may report the same call: it is measured and listed only once.
  void merge_same_calls() {
    std::map<std::pair<bool, std::vector<size_t>>, size_t> first;
    std::vector<Line> kept;
    for (Line& line : verdicts_.lines) {
      if (line.finding != nullptr && !line.strands.empty()) {
        auto [it, fresh] = first.try_emplace({line.launching, line.strands}, kept.size());
        if (!fresh && kept[it->second].place == line.place) {
          kept[it->second].also.push_back(line.finding->rule);
          if (line.verdict == Verdict::kConfirmed) kept[it->second].verdict = Verdict::kConfirmed;
          continue;
        }
      }
      kept.push_back(std::move(line));
    }
    verdicts_.lines = std::move(kept);
  }

  const reader::Places& places_;
  const Analysis& analysis_;
  const StaticSide& side_;
  std::vector<Measure> measures_;
  std::vector<std::vector<size_t>> matched_;  // finding -> strands
  std::vector<bool> silent_;                  // by strand
  std::set<size_t> named_;
  Verdicts verdicts_;
};

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConfirmed:
      return "confirmed";
    case Verdict::kCheap:
      return "executed but cheap";
    case Verdict::kNotExecuted:
      return "not executed";
    case Verdict::kNotMeasured:
      return "not measured";
    case Verdict::kRunOnly:
      break;
  }
  return "seen only at run time";
}

Verdicts judge(const reader::Trace& trace, const reader::Places& places, const Analysis& analysis,
               const StaticSide& side) {
  return Judge(places, analysis, side).run();
}

}  // namespace syncsniff::report
