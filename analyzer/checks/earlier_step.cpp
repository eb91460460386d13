#include "analyzer/checks/earlier_step.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/copies.h"

namespace syncsniff::checks {

namespace {

bool is_record(const ApiFact* fact) { return fact && fact->records_event; }

// The object expression of a method call, as written: the text before the method's name.
std::string object_text(const std::string& call) {
  int depth = 0;
  size_t open = call.size();
  while (open-- > 0) {
    if (call[open] == ')') ++depth;
    if (call[open] == '(' && --depth == 0) break;
  }
  if (open >= call.size()) return {};
  const std::string name = call.substr(0, open);
  const size_t end = name.find_last_of(".>");
  return end == std::string::npos ? "" : name.substr(0, end - (name[end] == '>' && end > 0 ? 1 : 0));
}

// The text of the event that an API call uses: an argument, or the object of a method.
std::string event_text(const Event& event, const ApiFact& fact) {
  if (fact.event_arg >= 0 && fact.event_arg < static_cast<int>(event.args.size()))
    return event.args[fact.event_arg].text;
  return fact.event_arg == kObject ? object_text(event.text) : std::string();
}

// The variable, field, array or container that holds the event; empty if it has no name.
std::string holder(const Event& event, const ApiFact& fact) {
  const Value* value = argument_value(event, fact.event_arg);
  return value ? value->node.str() : std::string();
}

std::string index_of(const std::string& text) {
  const size_t open = text.find('[');
  const size_t close = text.rfind(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return text.substr(open + 1, close - open - 1);
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return isalnum(c) || c == '_'; });
}

// Collects the cudaEventRecord calls for an event of `held_in` that the call makes or leads to.
void find_records(const Program& program, Site site, const std::string& held_in, std::set<int>& seen,
                  std::vector<Site>& out) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (is_record(fact) && !held_in.empty() && holder(event, *fact) == held_in) out.push_back(site);
  for (int callee : program.callees(site)) {
    if (!seen.insert(callee).second) continue;
    for (int e = 0; e < static_cast<int>(program.function(callee).events.size()); ++e)
      find_records(program, {callee, e}, held_in, seen, out);
  }
}

// Whether a condition between the loop and the wait requires that more than one step is in flight.
bool with_some_in_flight(const Program& program, const Located& where, const std::vector<Site>& way) {
  for (const Site& site : way) {
    const auto& function = program.function(site.function);
    for (int r = program.event(site).region; r >= 0; r = function.regions[r].parent) {
      if (site.function == where.heat.loop_function && r == where.heat.loop_region) break;
      if (function.regions[r].deeper_than > 0) return true;
    }
  }
  return false;
}

// Whether the index has changed between record and wait, so that the same text names another event: record(events[i %
// 3]); ++i; wait(events[i % 3]).
bool moved_on(const Program& program, Site record, Site wait) {
  const auto slot = [&](Site site) {
    const Event& event = program.event(site);
    const int argument = program.api(event)->event_arg;
    return argument >= 0 && argument < static_cast<int>(event.arg_sums.size()) ? text_of(event.arg_sums[argument]) : "";
  };
  const std::string recorded = slot(record), waited = slot(wait);
  return recorded != waited && recorded.find('[') != std::string::npos && waited.find('[') != std::string::npos;
}

// If the function of the wait also records the event: which records come before and after the wait. Decided by the
// event's text and the order of the calls.
struct Order {
  bool before = false, after = false, any_before = false, any_after = false, other_slot = false;
  bool earlier() const { return !before && (after || other_slot || (any_after && !any_before)); }
};

Order order_in_function(const Program& program, const Located& where, const std::string& waited) {
  Order order;
  const auto& function = program.function(where.at.function);
  for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
    const ApiFact* record = program.api(function.events[e]);
    if (!is_record(record)) continue;
    const std::string recorded = event_text(function.events[e], *record);
    if (recorded.empty()) continue;
    (e < where.at.event ? order.any_before : order.any_after) = true;
    const bool other_turn = recorded == waited && e < where.at.event && where.inner.empty() &&
                            moved_on(program, {where.at.function, e}, where.api);
    if (recorded == waited && !other_turn) (e < where.at.event ? order.before : order.after) = true;
    order.other_slot |= other_turn;
    order.other_slot |= is_another_slot(waited, recorded);
  }
  // For two handles that are swapped at the end of each iteration, one is recorded and the other is waited for;
  // any_before and any_after cover them.
  return order;
}

// If other functions record the event: the innermost function on the call path whose calls lead to both the wait and a
// record decides the order.
bool recorded_later(const Program& program, const Located& where, const std::vector<Site>& way,
                    const std::string& held_in) {
  for (const Site& site : way) {
    const auto& function = program.function(site.function);
    const bool in_loop = site.function == where.heat.loop_function;
    bool before = false, after = false, other_slot = false;
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      if (e == site.event || (in_loop && !program.inside(function, function.events[e].region, where.heat.loop_region)))
        continue;
      std::set<int> seen;
      std::vector<Site> records;
      find_records(program, {site.function, e}, held_in, seen, records);
      if (records.empty()) continue;
      const bool other_turn = e < site.event && site == where.api && records.front() == Site{site.function, e} &&
                              moved_on(program, records.front(), where.api);
      other_slot |= other_turn;
      (e < site.event ? before : after) = true;
      other_slot |= is_another_slot(object_text(program.event(site).text), object_text(function.events[e].text));
    }
    if (before || after) return other_slot || !before;
  }
  return false;
}

// Whether each record in the ring of events is for another element than the wait.
bool recorded_elsewhere_in_ring(const Program& program, const std::string& held_in, const std::string& waited) {
  const std::string index = index_of(waited);
  if (held_in.empty() || index.empty()) return false;
  bool any = false;
  for (const auto* function : program.functions()) {
    for (const Event& event : function->events) {
      const ApiFact* fact = program.api(event);
      if (!is_record(fact) || holder(event, *fact) != held_in) continue;
      any = true;
      if (index_of(event_text(event, *fact)) == index) return false;
    }
  }
  return any;
}

// Whether the record directly follows a copy to the GPU, so that its event only says that the host memory can be
// reused.
bool follows_upload(const Program& program, Site record) {
  const auto& events = program.function(record.function).events;
  for (int e = record.event - 1; e >= 0; --e) {
    if (!program.effects_of({record.function, e}).enqueues) continue;
    const ApiFact* fact = program.api(events[e]);
    if (!fact || !fact->copy || waits(events[e], *fact)) return false;
    const std::vector<Located> copies = locate(program, {record.function, e});
    return !copies.empty() && std::all_of(copies.begin(), copies.end(), [&](const Located& copy) {
      return read_copy(program, copy).direction == Direction::kHostToDevice;
    });
  }
  return false;
}

}  // namespace

bool is_another_slot(const std::string& waited, const std::string& recorded) {
  const size_t bracket = waited.find('[');
  if (bracket == std::string::npos || waited == recorded) return false;
  if (recorded.compare(0, bracket + 1, waited, 0, bracket + 1) != 0) return false;
  const std::string one = index_of(waited), other = index_of(recorded);
  if (is_name(one) && is_name(other)) return true;
  const auto distances = [](const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return c == '-' || c == '+' || c == '^'; });
  };
  return distances(one) != distances(other);
}

std::vector<Site> way_up(const Program& program, const Located& where) {
  std::vector<Site> sites(where.inner.rbegin(), where.inner.rend());
  Site up = where.at;
  for (int steps = 0; up.function >= 0 && steps < 64; ++steps) {
    sites.push_back(up);
    if (up.function == where.heat.loop_function) break;
    up = program.hotness().hottest_caller(up.function);
  }
  return sites;
}

bool waits_for_upload_alone(const Program& program, const Located& where) {
  const Event& wait = program.event(where.api);
  const ApiFact* fact = program.api(wait);
  if (!fact || fact->waits_for != WaitsFor::kEvent || !where.inner.empty()) return false;
  const std::string held_in = holder(wait, *fact);
  const auto& events = program.function(where.api.function).events;
  bool uploads = false, launches_since = false;
  for (int e = 0; e < where.api.event && !held_in.empty(); ++e) {
    if (const ApiFact* record = program.api(events[e]); is_record(record) && holder(events[e], *record) == held_in) {
      if (!follows_upload(program, {where.api.function, e})) return false;
      uploads = true;
      launches_since = false;
    }
    launches_since |= program.effects_of({where.api.function, e}).launches;
  }
  return uploads && launches_since;
}

bool waits_for_earlier_step(const Program& program, const Located& where) {
  const Event& wait = program.event(where.api);
  const ApiFact* fact = program.api(wait);
  if (!fact || fact->waits_for != WaitsFor::kEvent) return false;
  const std::string waited =
      fact->event_arg >= 0 ? argument_text(program, where, fact->event_arg) : event_text(wait, *fact);
  if (order_in_function(program, where, waited).earlier()) return true;
  const std::vector<Site> way = way_up(program, where);
  const std::string held_in = holder(wait, *fact);
  if (recorded_later(program, where, way, held_in)) return true;
  const bool oldest = waited.find("front()") != std::string::npos || waited.find("begin()") != std::string::npos;
  return (oldest || recorded_elsewhere_in_ring(program, held_in, waited)) && with_some_in_flight(program, where, way);
}

}  // namespace syncsniff::checks
