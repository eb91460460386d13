// Builds findings and decides which to keep. A place that is hot through several calls has a finding for each of them,
// since a new call of an old function that waits is a new stall.
#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "analyzer/checks/check.h"
#include "analyzer/checks/finding_identities.h"
#include "analyzer/finding_archive.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMostWithheld = 100;
constexpr size_t kMostWaysToPlace = 2'000;  // call paths to one place
constexpr size_t kMostOthers = 20'000;  // call paths in all; once reached, each further place has only its hottest one

std::string call_identity(const Program& program, const program::Way& way, size_t i) {
  const Site call = way.calls[i];
  return program.code().name_without_lines(call.function) + "|" + program.event(call).text + "|" +
         std::to_string(way.ordinals[i]);
}

// A call of a callback or a virtual function runs one of several functions. Which of them waits is part of the
// finding's identity; otherwise a second callback that waits would be the same finding as the first. Returns the last
// such function on the path to the wait and adds it to `identity`; nullptr if each call names its callee.
const facts::Function* through_callback(const Program& program, const Located& where, std::string& identity) {
  for (size_t i = where.inner.size(); i-- > 0;) {
    const facts::Callee& called = program.event(i == 0 ? where.at : where.inner[i - 1]).callee;
    const Site next = where.inner[i];
    if (!called.is_virtual && !called.indirect && called.id == program.function(next.function).usr) continue;
    const facts::Function& run = program.function(next.function);
    identity += "|through|" + program.code().name_without_lines(next.function);
    if (!run.owner.empty()) identity += "|" + program.event(next).text.str();  // a lambda has no name of its own
    return &run;
  }
  return nullptr;
}

std::vector<PathStep> reasons_of(const Heat& heat) {
  std::vector<PathStep> steps;
  for (const frequency::Reason& reason : heat.reasons()) {
    steps.push_back(
        {to_location(reason.place), std::string("severity lowered to ") + to_string(reason.most) + ": " + reason.what});
  }
  // The message only says "whenever a condition holds", so the condition is shown here.
  if (heat.severity == Severity::kHigh && heat.condition && heat.by == Heat::By::kLoop) {
    const facts::Region& branch = *heat.condition;
    const std::string text = branch.is_switch ? "switch (" + branch.text.str() + ")" : branch.condition.str();
    steps.push_back({to_location(branch.place), text.empty() ? "the condition" : "the condition: '" + text + "'"});
  }
  return steps;
}

// The callee's name in the tables, without the overload: at::Tensor::index for at::Tensor::index(mask), and the class's
// name for thrust::device_vector::(constructor).
std::string callee_of(const Program& program, Site site) {
  const ApiFact* fact = program.api(program.event(site));
  if (!fact) return "";
  std::string name = fact->name;
  if (!name.ends_with("operator()")) name.resize(std::min(name.size(), name.find('(')));
  if (name.ends_with("::")) name.resize(name.size() - 2);
  return name;
}

std::vector<PathStep> path_of(const Program& program, const Located& where, const std::vector<Site>& calls) {
  std::vector<PathStep> path = program.ways().path(where.at, calls, where.heat);
  for (const Site& s : where.inner) {
    const bool last = s == where.api;
    const Event& e = program.event(s);
    path.push_back({to_location(e.place),
                    last ? "'" + e.callee.name + "' is called here" : "which calls '" + e.callee.name + "'"});
  }
  return path;
}

int region_of(const Program& program, const Located& where) {
  return where.region >= 0 ? where.region : program.event(where.at).region;
}

// The place as it is reached on that call path, with the path's heat.
Located located_by(const Program& program, Located where, const program::Way& way) {
  where.heat = way.heat;
  set_contexts(where, way.calls);
  pass_wrappers(program, where);
  return where;
}

void put_hottest_first(std::vector<program::Way>& ways) {
  std::stable_sort(ways.begin(), ways.end(),
                   [](const program::Way& a, const program::Way& b) { return a.heat.score() > b.heat.score(); });
}

std::vector<Located> others_of(const Program& program, const Located& where, const std::vector<program::Way>& ways) {
  std::vector<Located> out;
  for (size_t i = 1; i < ways.size(); ++i) {
    out.push_back(located_by(program, where, ways[i]));
  }
  return out;
}

}  // namespace

bool find_way(const Program& program, Located& where, const std::function<bool(const Located&)>& holds) {
  constexpr size_t kMostTried = 16;
  if (holds(where)) return true;
  const std::vector<Site> hottest = program.ways().hottest_calls(where.at.function);
  std::vector<program::Way> ways = program.ways().to(where.at, region_of(program, where), where.heat, kMostTried);
  put_hottest_first(ways);
  for (const program::Way& way : ways) {
    if (way.calls == hottest) continue;
    Located other = located_by(program, where, way);
    if (!other.heat.hot || other.heat.dropped || !holds(other)) continue;
    where = std::move(other);
    where.first_by = way.calls;
    return true;
  }
  return false;
}

Finding& Reporter::report(const std::string& rule, const Program& program, const Located& where,
                          const std::string& message) {
  Reported& reported = reported_.emplace_back();
  Finding& finding = reported.finding;
  finding.rule = rule;
  if (auto found = rules_.find(rule); found != rules_.end()) {
    finding.level = found->second.level;
    finding.fix.description = found->second.fix;
  }
  const Event& event = program.event(where.at);
  // How often each call of the function happens is unknown, so the finding is less certain.
  if (where.heat.by == Heat::By::kEachCall) finding.level = std::max(finding.level, 1);
  finding.severity = where.heat.severity;
  finding.message = message;
  finding.location = to_location(event.place);
  finding.callee = callee_of(program, where.api);
  finding.function = program.function(where.at.function).name;
  if (!where.inner.empty()) finding.wait = to_location(program.event(where.api).place);
  finding.fingerprint = rule + "|" + program.code().name_without_lines(where.at.function) + "|" + event.text;
  if (const facts::Function* run = through_callback(program, where, finding.fingerprint))
    reported.through = to_location(run->place);
  reported.program = &program;
  reported.where = where;
  reported.by_each_call = where.heat.by == Heat::By::kEachCall;
  reported.ways =
      program.ways().to(where.at, region_of(program, where), where.heat, others_ < kMostOthers ? kMostWaysToPlace : 1);
  std::erase_if(reported.ways, [&](const program::Way& way) {
    const std::vector<Site>& end = where.only_by;
    return end.size() > way.calls.size() || !std::equal(end.rbegin(), end.rend(), way.calls.rbegin());
  });
  const auto first = std::find_if(reported.ways.begin(), reported.ways.end(),
                                  [&](const program::Way& way) { return way.calls == where.first_by; });
  if (!where.first_by.empty() && first != reported.ways.end())
    std::rotate(reported.ways.begin(), first, std::next(first));
  if (reported.ways.empty()) {
    reported.never = true;
    finding.evidence = reasons_of(where.heat);
    reported.reasons = finding.evidence.size();
    withhold(rule, program, where, "the arguments of every call that leads here turn it off");
    return finding;
  }
  // The rule may have excluded the hottest call path; the report then shows the next one.
  if (reported.ways.front().calls != program.ways().hottest_calls(where.at.function)) {
    if (where.first_by.empty()) put_hottest_first(reported.ways);
    apply_call_path(program, reported, reported.ways.front());
  }
  reported.others = others_of(program, where, reported.ways);
  reported.counted = reported.others.size();
  others_ += reported.counted;
  finding.path = path_of(program, reported.where, reported.ways.front().calls);
  finding.evidence = reasons_of(reported.where.heat);
  reported.steps = finding.path.size();
  reported.reasons = finding.evidence.size();
  set_hot_call(reported, program, reported.ways.front());
  return finding;
}

void Reporter::apply_call_path(const Program& program, Reported& reported, const program::Way& way) {
  Finding& finding = reported.finding;
  const std::string before = often(reported.where.heat);
  reported.where = located_by(program, reported.where, way);
  finding.severity = reported.where.heat.severity;
  reported.by_each_call = reported.where.heat.by == Heat::By::kEachCall;
  if (const size_t at = finding.message.find(before); at != std::string::npos)
    finding.message.replace(at, before.size(), often(reported.where.heat));
}

void Reporter::set_hot_call(Reported& reported, const Program& program, const program::Way& way) {
  Finding& finding = reported.finding;
  for (size_t i = way.hot; i < way.calls.size(); ++i) {
    finding.calls.push_back(to_location(program.event(way.calls[i]).place));
    reported.calls.push_back(call_identity(program, way, i));
    reported.callers.push_back(program.function(way.calls[i].function).name);
  }
  if (way.listed_call == way.calls.size()) return;
  finding.hot_call = to_location(program.event(way.calls[way.listed_call]).place);
  finding.hot_function = program.function(way.calls[way.listed_call].function).name;
  reported.call = call_identity(program, way, way.listed_call);
}

void Reporter::only_where(const std::function<bool(const Located&)>& holds) {
  Reported& last = reported_.back();
  for (Located& other : last.others) other.heat.dropped |= !other.heat.dropped && !holds(other);
}

void Reporter::end_program() {
  for (const size_t end = reported_.size(); ended_ < end; ++ended_) {
    if (reported_[ended_].program && !reported_[ended_].never) add_other_ways(ended_);
    reported_[ended_].program = nullptr;
    reported_[ended_].others.clear();
    reported_[ended_].ways.clear();
  }
  ended_ = reported_.size();
}

// Adds the findings for the further call paths to the place of finding `number`, which its rule has completed. They
// differ from it only in what depends on the call path.
void Reporter::add_other_ways(size_t number) {
  const Reported& first = reported_[number];  // the reference stays valid when elements are added to the deque
  const Program& program = *first.program;
  Located plain = first.where;
  const bool by_hottest = first.ways.front().calls == program.ways().hottest_calls(plain.at.function);
  plain.heat =
      by_hottest ? program.hotness().heat(plain.at.function, region_of(program, plain)) : first.ways.front().heat;
  pass_wrappers(program, plain);
  const bool capped =
      first.finding.severity <
      plain.heat.severity;  // the rule lowered the severity for a reason that does not depend on the path
  for (size_t i = 0; i < first.others.size(); ++i) {
    const Located& where = first.others[i];
    if (where.heat.dropped) continue;
    Reported reported;
    reported.further = true;
    reported.of = number;
    reported.finding = first.finding;
    reported.through = first.through;
    Finding& finding = reported.finding;
    finding.hot_call = {};
    finding.calls.clear();
    set_hot_call(reported, program, first.ways[i + 1]);
    finding.severity = capped ? std::min(where.heat.severity, first.finding.severity) : where.heat.severity;
    reported.by_each_call = where.heat.by == Heat::By::kEachCall;
    if (reported.by_each_call) finding.level = std::max(finding.level, 1);
    const std::string before = often(first.where.heat);
    if (const size_t at = finding.message.find(before); at != std::string::npos)
      finding.message.replace(at, before.size(), often(where.heat));
    std::vector<PathStep> path = path_of(program, where, first.ways[i + 1].calls);
    path.insert(path.end(), finding.path.begin() + static_cast<long>(first.steps), finding.path.end());
    finding.path = std::move(path);
    std::vector<PathStep> evidence = reasons_of(where.heat);
    evidence.insert(evidence.end(), finding.evidence.begin() + static_cast<long>(first.reasons),
                    finding.evidence.end());
    finding.evidence = std::move(evidence);
    reported_.push_back(std::move(reported));
  }
}

void Reporter::withhold(const std::string& rule, const Program& program, const Located& where, const std::string& why) {
  const bool here =
      requested_line_.covers(program.event(where.at).place) || requested_line_.covers(program.event(where.api).place);
  if (!here || withheld_.size() == kMostWithheld) return;
  const Event& event = program.event(where.api);
  withheld_.push_back({to_location(event.place), "no " + rule + " for '" + event.callee.name + "': " + why});
}

Finding& Reporter::report_at(const std::string& rule, const facts::Place& place, const std::string& text,
                             const std::string& function, const Heat& heat, const std::string& message) {
  Finding& finding = reported_.emplace_back().finding;
  finding.severity = heat.severity;
  finding.message = message;
  finding.location = to_location(place);
  finding.function = function;
  finding.fingerprint = "|" + finding.function + "|" + text;
  reassign_to_rule(finding, rule);
  return finding;
}

void Reporter::reassign_to_rule(Finding& finding, const std::string& rule) const {
  finding.rule = rule;
  finding.fingerprint.replace(0, finding.fingerprint.find('|'), rule);
  const auto found = rules_.find(rule);
  if (found == rules_.end()) return;
  // A reason for less certainty still applies under the new rule.
  finding.level = std::max(finding.level, found->second.level);
  finding.fix.description = found->second.fix;
}

double Reporter::threshold(const std::string& rule, const std::string& name) const {
  const auto found = rules_.find(rule);
  if (found == rules_.end()) throw std::logic_error("no rule " + rule);
  return found->second.thresholds.at(name);
}

void Reporter::use_fix_for(Finding& finding, const std::string& name) const {
  auto rule = rules_.find(finding.rule);
  if (rule == rules_.end()) return;
  if (auto text = rule->second.fix_for.find(name); text != rule->second.fix_for.end())
    finding.fix.description = text->second;
}

// Applies the limit on further findings in the order in which one process would have made them all.
void Reporter::append(std::vector<Reporter>& parts) {
  for (Reporter& part : parts) {
    for (Reported& reported : part.reported_) {
      if (reported.further) continue;
      reported.alone = others_ >= kMostOthers;
      if (!reported.alone) others_ += reported.counted;
      reported_.push_back(std::move(reported));
    }
  }
  for (Reporter& part : parts) {
    for (Reported& reported : part.reported_)
      if (reported.further && !part.reported_[reported.of].alone) reported_.push_back(std::move(reported));
  }
  ended_ = reported_.size();
}

std::string Reporter::bytes() {
  facts::ByteWriter writer;
  size_t count = reported_.size();
  writer(count);
  for (FindingState& state : reported_) writer(state);
  return writer.bytes();
}

bool Reporter::read(std::string_view bytes) {
  facts::ByteReader reader(bytes);
  size_t count = 0;
  reader(count);
  for (size_t i = 0; i < count && reader.ok(); ++i) reader(static_cast<FindingState&>(reported_.emplace_back()));
  ended_ = reported_.size();
  return reader.ok() && reader.at_end();
}

namespace {

using Line = std::tuple<std::string, unsigned, std::string>;

Line line_of(const Finding& f) { return {f.location.file, f.location.line, f.rule}; }
std::tuple<std::string, unsigned, unsigned> place_of(const Location& l) { return {l.file, l.line, l.column}; }

// Where two rules report one line, the more specific finding is kept: redundant-sync, which can delete the wait,
// instead of sync-in-loop; branch-on-device instead of the read-back.
bool is_covered_by_other_rule(const Finding& f, const std::set<Line>& lines) {
  const auto is_reported_by = [&](const char* rule) {
    return lines.count({f.location.file, f.location.line, rule}) != 0;
  };
  if (f.rule == "sync-in-loop") return is_reported_by("redundant-sync");
  return (f.rule == "scalar-readback" || f.rule == "tensor-to-host") && is_reported_by("branch-on-device");
}

// Adds the path steps of a second finding of the same rule, line and hot call to the first, so that one finding shows
// them all: a call may lead to a constructor that allocates twice.
void add_steps(Finding& finding, const Finding& other) {
  constexpr size_t kMostSteps = 24;
  if (other.wait.line == 0 || finding.wait.line == 0) return;
  for (const PathStep& step : other.path) {
    const bool shown = std::any_of(finding.path.begin(), finding.path.end(), [&](const PathStep& known) {
      return place_of(known.location) == place_of(step.location);
    });
    if (!shown && finding.path.size() < kMostSteps) finding.path.push_back(step);
  }
}

}  // namespace

// A member of a class template is one function for each type. Each has its own hottest call path, and all of these may
// begin with the same call in the hot loop. To distinguish them, the first call after the hot one that no other path
// passes (`is_free` returns true) becomes the hot call. Returns false if there is none.
bool Reporter::take_later_call(FindingState& state, const std::function<bool(const Location&)>& is_free) {
  Finding& f = state.finding;
  const auto hot = std::ranges::find(f.calls, place_of(f.hot_call), place_of);
  for (size_t i = static_cast<size_t>(hot - f.calls.begin()) + 1; i < f.calls.size(); ++i) {
    if (!is_free(f.calls[i])) continue;
    f.hot_call = f.calls[i];
    f.hot_function = state.callers[i];
    state.call = state.calls[i];
    return true;
  }
  return false;
}

static bool comes_before(const Finding& f, const Finding& g) {
  if (line_of(f) != line_of(g)) return line_of(f) < line_of(g);
  if (f.severity != g.severity) return f.severity > g.severity;
  if (f.path.size() != g.path.size()) return f.path.size() < g.path.size();
  return place_of(f.hot_call) < place_of(g.hot_call);
}

std::vector<Finding> Reporter::finish() {
  end_program();
  std::vector<Reported*> sorted;
  std::set<Line> lines, called;
  for (Reported& reported : reported_) {
    if (reported.never) continue;
    sorted.push_back(&reported);
    lines.insert(line_of(reported.finding));
    if (!reported.by_each_call) called.insert(line_of(reported.finding));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Reported* a, const Reported* b) { return comes_before(a->finding, b->finding); });
  std::erase_if(sorted, [&](const Reported* reported) {
    // In this program nothing calls the function, but in another program of the project a caller makes it hot.
    const bool uncalled = reported->by_each_call && reported->call.empty() && called.count(line_of(reported->finding));
    return uncalled || is_covered_by_other_rule(reported->finding, lines);
  });
  using Spot = std::tuple<std::string, unsigned, unsigned>;
  std::map<std::tuple<Line, Spot, Spot>, size_t> known;  // by the hot call and the function run by a callback
  std::set<std::pair<Line, Spot>> passed;                // calls on the paths of the findings so far
  FindingIdentities identities;
  std::vector<Finding> out;
  for (Reported* reported : sorted) {
    Finding& f = reported->finding;
    const auto listed = known.find({line_of(f), place_of(f.hot_call), place_of(reported->through)});
    const auto is_free = [&](const Location& call) { return passed.count({line_of(f), place_of(call)}) == 0; };
    if (listed != known.end() && !take_later_call(*reported, is_free)) {
      add_steps(out[listed->second], f);
      identities.cover(listed->second, f.location.column);
      continue;
    }
    known.emplace(std::tuple{line_of(f), place_of(f.hot_call), place_of(reported->through)}, out.size());
    for (const Location& call : f.calls) passed.insert({line_of(f), place_of(call)});
    identities.add(f, reported->call, reported->calls);
    out.push_back(std::move(f));
  }
  identities.finish(out);
  return out;
}

}  // namespace syncsniff::checks
