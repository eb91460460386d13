#include "analyzer/checks/timed_spans.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/copies.h"
#include "analyzer/facts/words.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr int kMostCallsToWork = 5;

bool writes_to(const Event& event, const std::string& node) {
  return event.into == node ||
         std::ranges::any_of(
             event.args, [&](const facts::Text written) { return written == node; }, &facts::Argument::node);
}

// Whether every execution that reaches `later` has passed `earlier` in the same iteration.
bool leads_to(const facts::Function& f, int earlier, int later) {
  earlier = program::without_braces(f, earlier);
  for (int r = later; r >= 0; r = f.regions[r].parent) {
    if (r == earlier) return true;
    // Two branches with the same condition count: if (timing) start = now(); ... if (timing) end = now();
    const Region &a = f.regions[earlier], &b = f.regions[r];
    if (!a.condition.empty() && a.condition == b.condition && a.parent == b.parent) return true;
    if (b.kind == Region::Kind::kLoop) return false;
  }
  return false;
}

// The text before the method's name: `timer.` of `timer.stop()`.
std::string owner_of(const Event& call) {
  const size_t name = call.text.rfind(facts::last_name(call.callee.name) + "(");
  return name == std::string::npos ? std::string() : call.text.substr(0, name);
}

class Spans {
 public:
  explicit Spans(const Program& program) : program_(program) {}

  std::vector<TimedSpan> run() {
    for (int f = 0; f < static_cast<int>(program_.functions().size()); ++f) {
      const auto& events = program_.function(f).events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        if (events[e].kind == Event::Kind::kElapsed) by_clock({f, e});
        const ApiFact* fact = program_.api(events[e]);
        if (fact && fact->reads_elapsed) by_events({f, e});
      }
    }
    return std::move(spans_);
  }

 private:
  // The last clock reading before event `before` that is stored in `node`; -1: none.
  int reading_into(int function, const std::string& node, int before) const {
    const auto& events = program_.function(function).events;
    for (int e = before - 1; e >= 0; --e) {
      if (writes_to(events[e], node) && reads_clock(program_, {function, e})) return e;
    }
    return -1;
  }

  void add(int function, int from, int to, int difference, bool events) {
    const auto& f = program_.function(function);
    if (!f.labels.empty() || !leads_to(f, f.events[from].region, f.events[to].region)) return;
    spans_.push_back({function, from, to, difference, events});
  }

  void by_clock(Site difference) {
    const Event& event = program_.event(difference);
    const Value &later = event.args[0].value, &earlier = event.args[1].value;
    const bool is_call = later.kind == Value::Kind::kCall;
    int to = is_call ? later.event : reading_into(difference.function, later.node, difference.event);
    if (is_call && !reads_clock(program_, {difference.function, to})) return;
    const int from = to < 0 ? -1 : reading_into(difference.function, earlier.node, to);
    if (from >= 0) return add(difference.function, from, to, difference.event, false);
    // A timer class subtracts in its own method; the two readings are then at the calls of the timer's methods.
    const bool own = earlier.node.rfind("f:", 0) == 0 && (is_call || later.node.rfind("f:", 0) == 0);
    if (!own || (to >= 0 && !is_call)) return;
    for (const Site& call : program_.callers(difference.function))
      by_timer(call, is_call ? "" : later.node, earlier.node);
  }

  // The last call before event `before`, on the same object, of a method that stores a reading in the field.
  int call_that_reads(Site use, const std::string& field, int before) const {
    const auto& events = program_.function(use.function).events;
    const std::string owner = owner_of(program_.event(use));
    for (int e = before - 1; e >= 0; --e) {
      if (events[e].kind != Event::Kind::kCall) continue;
      const bool made = !events[e].into.empty() && events[e].into == program_.event(use).object.node;
      if (!made && (owner.empty() || owner_of(events[e]) != owner)) continue;
      for (int callee : program_.callees({use.function, e})) {
        if (reading_into(callee, field, static_cast<int>(program_.function(callee).events.size())) >= 0) return e;
      }
    }
    return -1;
  }

  void by_timer(Site use, const std::string& later, const std::string& earlier) {
    const int to = later.empty() ? use.event : call_that_reads(use, later, use.event);
    const int from = to < 0 ? -1 : call_that_reads(use, earlier, to);
    if (from >= 0) add(use.function, from, to, -1, false);
  }

  int record_of(int function, const std::string& text, int before) const {
    const auto& events = program_.function(function).events;
    for (int e = before - 1; e >= 0; --e) {
      const ApiFact* fact = program_.api(events[e]);
      if (!fact || !fact->records_event || fact->event_arg < 0) continue;
      if (fact->event_arg < static_cast<int>(events[e].args.size()) && events[e].args[fact->event_arg].text == text)
        return e;
    }
    return -1;
  }

  void by_events(Site elapsed) {
    const Event& event = program_.event(elapsed);
    if (event.args.size() < 3) return;
    const int to = record_of(elapsed.function, event.args[2].text, elapsed.event);
    const int from = to < 0 ? -1 : record_of(elapsed.function, event.args[1].text, to);
    if (from >= 0) add(elapsed.function, from, to, elapsed.event, true);
  }

  const Program& program_;
  std::vector<TimedSpan> spans_;
};

bool puts_work_within(const Program& program, Site site, int depth, std::set<int>& seen) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (event.kind == Event::Kind::kLaunch) return true;
  if (event.kind == Event::Kind::kApi && fact)
    return fact->launches_kernel || fact->enqueued == "copy" || fact->enqueued == "memset" ||
           fact->enqueued == "kernel";
  if (event.kind == Event::Kind::kTensor) {
    if (!program.effects_of(site).launches) return false;
    const program::Devices where = program.devices(event.result, program.reading(site));
    return where.cuda && !where.cpu && !where.unknown;
  }
  if (event.kind != Event::Kind::kCall || depth >= kMostCallsToWork) return false;
  for (int callee : program.callees(site)) {
    if (!program.effects().of(callee).enqueues || !seen.insert(callee).second) continue;
    const auto& f = program.function(callee);
    for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
      if (!program::is_off_or_once(f, f.events[e].region) && puts_work_within(program, {callee, e}, depth + 1, seen))
        return true;
    }
  }
  return false;
}

}  // namespace

bool reads_clock(const Program& program, Site site) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (fact) return event.kind == Event::Kind::kApi && fact->host_work == "clock";
  const auto& callees = program.callees(site);
  return !callees.empty() &&
         std::all_of(callees.begin(), callees.end(), [&](int callee) { return program.function(callee).returns_time; });
}

bool puts_work(const Program& program, Site site) {
  std::set<int> seen;
  return puts_work_within(program, site, 0, seen);
}

std::vector<TimedSpan> timed_spans(const Program& program) { return Spans(program).run(); }

}  // namespace syncsniff::checks
