// How a finding is put together, and which findings are one. A place that is hot by several calls is a finding of each:
// a new call of an old function that waits is a new stall.
#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMostWithheld = 100;
constexpr size_t kMostWays = 256;       // to one place
constexpr size_t kMostOthers = 20'000;  // in all; beyond, a place is told by its hottest way alone

uint64_t fnv1a(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return hash;
}

std::string hashed(const std::string& text) {
  static const char* digits = "0123456789abcdef";
  uint64_t value = fnv1a(text);
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) out[i] = digits[value & 15];
  return out;
}

std::string call_identity(const Program& program, const program::Way& way, size_t i) {
  const Site call = way.calls[i];
  return program.function(call.function).name + "|" + program.event(call).text + "|" + std::to_string(way.ordinals[i]);
}

std::vector<PathStep> reasons_of(const Heat& heat) {
  std::vector<PathStep> steps;
  for (const frequency::Reason& reason : heat.reasons()) {
    steps.push_back(
        {to_location(reason.place), std::string("severity lowered to ") + to_string(reason.most) + ": " + reason.what});
  }
  return steps;
}

std::vector<PathStep> path_of(const Program& program, const Located& where, const std::vector<Site>& calls) {
  std::vector<PathStep> path = program.path(where.at, calls, where.heat);
  for (const Site& s : where.inner) {
    const bool last = s == where.api;
    const Event& e = program.event(s);
    path.push_back({to_location(e.place),
                    last ? "'" + e.callee_name + "' is called here" : "which calls '" + e.callee_name + "'"});
  }
  return path;
}

int region_of(const Program& program, const Located& where) {
  return where.region >= 0 ? where.region : program.event(where.at).region;
}

std::vector<Located> others_of(const Program& program, const Located& where, const std::vector<program::Way>& ways) {
  std::vector<Located> out;
  for (size_t i = 1; i < ways.size(); ++i) {
    Located other = where;
    other.heat = ways[i].heat;
    set_contexts(other, ways[i].calls);
    pass_wrappers(program, other);
    out.push_back(std::move(other));
  }
  return out;
}

}  // namespace

Finding& Reporter::report(const std::string& rule, const Program& program, const Located& where,
                          const std::string& message) {
  Told& told = told_.emplace_back();
  Finding& finding = told.finding;
  finding.rule = rule;
  if (auto found = rules_.find(rule); found != rules_.end()) {
    finding.level = found->second.level;
    finding.fix.description = found->second.fix;
  }
  const Event& event = program.event(where.at);
  // Whether that is often, the program does not show.
  if (where.heat.by == Heat::By::kEachCall) finding.level = std::max(finding.level, 1);
  finding.severity = where.heat.severity;
  finding.message = message;
  finding.location = to_location(event.place);
  finding.function = program.function(where.at.function).name;
  if (!where.inner.empty()) finding.wait = to_location(program.event(where.api).place);
  finding.fingerprint = rule + "|" + finding.function + "|" + event.text;
  told.program = &program;
  told.where = where;
  told.by_each_call = where.heat.by == Heat::By::kEachCall;
  told.ways = program.ways(where.at, region_of(program, where), where.heat, others_ < kMostOthers ? kMostWays : 1);
  told.others = others_of(program, where, told.ways);
  others_ += told.others.size();
  finding.path = path_of(program, where, told.ways.front().calls);
  finding.evidence = reasons_of(where.heat);
  told.steps = finding.path.size();
  told.reasons = finding.evidence.size();
  tell_way(told, program, told.ways.front());
  return finding;
}

void Reporter::tell_way(Told& told, const Program& program, const program::Way& way) {
  Finding& finding = told.finding;
  for (size_t i = way.hot; i < way.calls.size(); ++i) {
    finding.calls.push_back(to_location(program.event(way.calls[i]).place));
    told.calls.push_back(call_identity(program, way, i));
  }
  if (way.told == way.calls.size()) return;
  finding.hot_call = to_location(program.event(way.calls[way.told]).place);
  finding.hot_function = program.function(way.calls[way.told].function).name;
  told.call = call_identity(program, way, way.told);
}

void Reporter::only_where(const std::function<bool(const Located&)>& holds) {
  Told& last = told_.back();
  for (Located& other : last.others) other.heat.dropped |= !other.heat.dropped && !holds(other);
}

void Reporter::end_program() {
  for (const size_t end = told_.size(); ended_ < end; ++ended_) {
    if (told_[ended_].program) add_other_ways(told_[ended_]);
    told_[ended_].program = nullptr;
    told_[ended_].others.clear();
    told_[ended_].ways.clear();
  }
  ended_ = told_.size();
}

// `first`: as its rule has left it. The others differ from it in what the way tells.
void Reporter::add_other_ways(const Told& first) {
  const Program& program = *first.program;
  Located plain = first.where;
  plain.heat = program.heat(plain.at.function, region_of(program, plain));
  pass_wrappers(program, plain);
  const bool capped = first.finding.severity < plain.heat.severity;  // by the rule, for what the call itself is
  for (size_t i = 0; i < first.others.size(); ++i) {
    const Located& where = first.others[i];
    if (where.heat.dropped) continue;
    Told told;
    told.finding = first.finding;
    Finding& finding = told.finding;
    finding.hot_call = {};
    finding.calls.clear();
    tell_way(told, program, first.ways[i + 1]);
    finding.severity = capped ? std::min(where.heat.severity, first.finding.severity) : where.heat.severity;
    told.by_each_call = where.heat.by == Heat::By::kEachCall;
    if (told.by_each_call) finding.level = std::max(finding.level, 1);
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
    told_.push_back(std::move(told));
  }
}

void Reporter::withhold(const std::string& rule, const Program& program, const Located& where, const std::string& why) {
  const bool here = asked_.covers(program.event(where.at).place) || asked_.covers(program.event(where.api).place);
  if (!here || withheld_.size() == kMostWithheld) return;
  const Event& event = program.event(where.api);
  withheld_.push_back({to_location(event.place), "no " + rule + " for '" + event.callee_name + "': " + why});
}

Finding& Reporter::report_at(const std::string& rule, const facts::Place& place, const std::string& text,
                             const std::string& function, const Heat& heat, const std::string& message) {
  Finding& finding = told_.emplace_back().finding;
  finding.severity = heat.severity;
  finding.message = message;
  finding.location = to_location(place);
  finding.function = function;
  finding.fingerprint = "|" + finding.function + "|" + text;
  retell(finding, rule);
  return finding;
}

void Reporter::retell(Finding& finding, const std::string& rule) const {
  finding.rule = rule;
  finding.fingerprint.replace(0, finding.fingerprint.find('|'), rule);
  const auto found = rules_.find(rule);
  if (found == rules_.end()) return;
  finding.level = found->second.level;
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

namespace {

using Line = std::tuple<std::string, unsigned, std::string>;

Line line_of(const Finding& f) { return {f.location.file, f.location.line, f.rule}; }
std::tuple<std::string, unsigned, unsigned> place_of(const Location& l) { return {l.file, l.line, l.column}; }

// One line is told once where one rule says more than another: a wait with nothing to wait for by the rule that can
// delete it, a value that is branched on by the rule that says so.
bool says_less(const Finding& f, const std::set<Line>& lines) {
  const auto told_by = [&](const char* rule) { return lines.count({f.location.file, f.location.line, rule}) != 0; };
  if (f.rule == "sync-in-loop") return told_by("redundant-sync");
  return (f.rule == "scalar-readback" || f.rule == "tensor-to-host") && told_by("branch-on-device");
}

}  // namespace

std::vector<Finding> Reporter::finish() {
  end_program();
  std::vector<Told*> sorted;
  std::set<Line> lines, called;
  for (Told& told : told_) {
    sorted.push_back(&told);
    lines.insert(line_of(told.finding));
    if (!told.by_each_call) called.insert(line_of(told.finding));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Told* a, const Told* b) {
    const Finding &f = a->finding, &g = b->finding;
    if (line_of(f) != line_of(g)) return line_of(f) < line_of(g);
    if (f.severity != g.severity) return f.severity > g.severity;
    if (f.path.size() != g.path.size()) return f.path.size() < g.path.size();
    return place_of(f.hot_call) < place_of(g.hot_call);
  });
  std::erase_if(sorted, [&](const Told* told) {
    // Another program of the project has a caller.
    const bool uncalled = told->by_each_call && told->call.empty() && called.count(line_of(told->finding));
    return uncalled || says_less(told->finding, lines);
  });
  std::set<std::pair<Line, std::tuple<std::string, unsigned, unsigned>>> known;
  std::map<std::string, std::map<std::pair<std::string, unsigned>, size_t>> places;  // by what is the same there
  std::map<std::string, int> alike;
  std::vector<Finding> out;
  for (Told* told : sorted) {
    Finding& f = told->finding;
    if (!known.emplace(line_of(f), place_of(f.hot_call)).second) continue;
    auto& of_this = places[f.fingerprint];
    const size_t index = of_this.emplace(std::pair{f.location.file, f.location.line}, of_this.size()).first->second;
    const std::string place = f.fingerprint + "|" + std::to_string(index);
    const std::string whole = told->call.empty() ? place : place + "|by|" + told->call;
    const int again = alike[whole]++;
    f.fingerprint = hashed(again ? whole + "|" + std::to_string(again) : whole);
    if (!told->calls.empty()) f.call_fingerprints.push_back(hashed(place));
    for (const std::string& call : told->calls) f.call_fingerprints.push_back(hashed(place + "|by|" + call));
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace syncsniff::checks
