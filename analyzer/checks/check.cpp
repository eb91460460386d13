#include "analyzer/checks/check.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "analyzer/frequency/gates.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMaxWrapperDepth = 6;
// Ways from one API call through one wrapper. A dozen wrappers that call each other are on 12^6 ways; what all but the
// shortest say, those have said.
constexpr int kMostWays = 16;
constexpr size_t kMostWithheld = 100;

uint64_t fnv1a(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return hash;
}

std::string hex(uint64_t value) {
  static const char* digits = "0123456789abcdef";
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) out[i] = digits[value & 15];
  return out;
}

// One line is told once where one rule says more than another: a wait with nothing to wait for by the rule that can
// delete it, a value that is branched on by the rule that says so.
void erase_retold(std::vector<Finding>& findings) {
  const auto told_by = [&](const Finding& f, const char* rule) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& o) {
      return o.rule == rule && o.location.file == f.location.file && o.location.line == f.location.line;
    });
  };
  std::vector<bool> retold;
  for (const Finding& f : findings) {
    const bool fetches = f.rule == "scalar-readback" || f.rule == "tensor-to-host";
    retold.push_back((f.rule == "sync-in-loop" && told_by(f, "redundant-sync")) ||
                     (fetches && told_by(f, "branch-on-device")));
  }
  size_t i = 0;
  std::erase_if(findings, [&](const Finding&) { return retold[i++]; });
}

Located located_through(const Program& program, Site at, std::vector<Site> inner) {
  Located where;
  where.at = at;
  where.inner = std::move(inner);
  where.api = where.inner.empty() ? at : where.inner.back();
  where.heat = program.heat(at);
  // Outermost call first: from the root along the hottest way in, then through the wrappers.
  std::vector<Site> calls;
  int g = at.function;
  for (int guard = 0; guard < 64; ++guard) {
    const Site caller = program.hottest_caller(g);
    if (caller.function < 0) break;
    calls.push_back(caller);
    g = caller.function;
  }
  std::reverse(calls.begin(), calls.end());
  if (!where.inner.empty()) {
    calls.push_back(at);
    calls.insert(calls.end(), where.inner.begin(), where.inner.end() - 1);
  }
  where.contexts = std::make_shared<std::deque<program::Context>>();
  for (const Site& call : calls) {
    where.contexts->push_back({call, where.contexts->empty() ? nullptr : &where.contexts->back()});
  }
  return where;
}

// Every place from which the wrappers that `opens` names lead to the API call, the nearest first.
std::vector<Located> expand(const Program& program, const Opens& opens, Site api) {
  struct Way {
    Site at;
    std::vector<Site> inner;
  };
  std::vector<Located> out;
  std::map<int, int> ways_through;
  std::deque<Way> ways{{api, {}}};
  for (; !ways.empty(); ways.pop_front()) {
    Way& way = ways.front();
    const int f = way.at.function;
    if (!opens(f) || way.inner.size() >= kMaxWrapperDepth) {
      out.push_back(located_through(program, way.at, std::move(way.inner)));
      continue;
    }
    if (++ways_through[f] > kMostWays) continue;
    std::vector<Site> deeper{way.at};
    deeper.insert(deeper.end(), way.inner.begin(), way.inner.end());
    bool is_callback = false;
    for (const Site& caller : program.callers(f)) {
      if (program.runs_callback(caller, f))
        is_callback = true;
      else
        ways.push_back({caller, deeper});
    }
    // The function that runs a callback runs others, too: the line is the callback's own.
    if (is_callback) out.push_back(located_through(program, way.at, std::move(way.inner)));
  }
  return out;
}

}  // namespace

Location to_location(const facts::Place& p) { return {p.file, p.line, p.column, p.end_line, p.end_column}; }

std::string often(const Heat& heat) {
  if (heat.by == Heat::By::kEachCall) return "at each call of '" + *heat.called + "', which has no caller here";
  if (heat.by == Heat::By::kRecursion) return "each time that '" + *heat.called + "' calls itself";
  return heat.severity == Severity::kHigh ? "in every iteration of a loop that feeds it" : "in a loop that feeds it";
}

Located located_at(Site site, const Heat& heat) {
  Located where;
  where.at = where.api = site;
  where.heat = heat;
  where.contexts = std::make_shared<std::deque<program::Context>>();
  return where;
}

std::vector<Located> locate(const Program& program, Site api) {
  return expand(
      program, [&](int function) { return program.is_wrapper(function); }, api);
}

std::vector<Located> hot_calls(const Program& program, const Test& test) {
  return hot_calls(program, test, [&](int function) { return program.is_wrapper(function); });
}

std::vector<Site> calls(const Program& program, const Test& test) {
  std::vector<Site> out;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const ApiFact* fact = program.api(events[e]);
      if (fact && test(events[e], *fact)) out.push_back({f, e});
    }
  }
  return out;
}

std::vector<Located> hot_calls(const Program& program, const Test& test, const Opens& opens) {
  std::vector<Located> out;
  for (const Site& call : calls(program, test)) {
    for (Located& where : expand(program, opens, call)) {
      if (!where.heat.hot || where.heat.dropped) continue;
      // The wrapper's own gates count too: `if (debug) sync` inside it.
      for (const Site& s : where.inner) {
        where.heat = program.descend(where.heat, s.function, program.event(s).region);
        frequency::pass_wrapper(where.heat, program.function(s.function), program.words());
      }
      if (!where.heat.dropped) out.push_back(std::move(where));
    }
  }
  return out;
}

Finding& Reporter::report(const std::string& rule, const Program& program, const Located& where,
                          const std::string& message) {
  Finding finding;
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
  finding.path = program.path(where.at, where.heat);
  for (const Site& s : where.inner) {
    const bool last = s == where.api;
    const Event& e = program.event(s);
    finding.path.push_back({to_location(e.place),
                            last ? "'" + e.callee_name + "' is called here" : "which calls '" + e.callee_name + "'"});
  }
  for (const frequency::Reason& reason : where.heat.reasons()) {
    finding.evidence.push_back(
        {to_location(reason.place), std::string("severity lowered to ") + to_string(reason.most) + ": " + reason.what});
  }
  finding.fingerprint = rule + "|" + finding.function + "|" + event.text;
  findings_.push_back(std::move(finding));
  return findings_.back();
}

void Reporter::withhold(const std::string& rule, const Program& program, const Located& where, const std::string& why) {
  const bool here = asked_.covers(program.event(where.at).place) || asked_.covers(program.event(where.api).place);
  if (!here || withheld_.size() == kMostWithheld) return;
  const Event& event = program.event(where.api);
  withheld_.push_back({to_location(event.place), "no " + rule + " for '" + event.callee_name + "': " + why});
}

Finding& Reporter::report_at(const std::string& rule, const facts::Place& place, const std::string& text,
                             const std::string& function, const Heat& heat, const std::string& message) {
  Finding finding;
  finding.severity = heat.severity;
  finding.message = message;
  finding.location = to_location(place);
  finding.function = function;
  finding.fingerprint = "|" + finding.function + "|" + text;
  retell(finding, rule);
  findings_.push_back(std::move(finding));
  return findings_.back();
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

std::vector<Finding> Reporter::finish() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& f) { return std::tie(f.location.file, f.location.line, f.rule); };
    if (key(a) != key(b)) return key(a) < key(b);
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.path.size() < b.path.size();
  });
  std::vector<Finding> out;
  for (Finding& f : findings_) {
    if (!out.empty() && out.back().location.file == f.location.file && out.back().location.line == f.location.line &&
        out.back().rule == f.rule) {
      continue;
    }
    out.push_back(std::move(f));
  }
  erase_retold(out);
  std::map<std::string, int> index;
  for (Finding& f : out) {
    const int i = index[f.fingerprint]++;
    f.fingerprint = hex(fnv1a(f.fingerprint + "|" + std::to_string(i)));
  }
  return out;
}

}  // namespace syncsniff::checks
