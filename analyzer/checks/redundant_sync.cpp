// redundant-sync: a wait with nothing to wait for, since another wait or a blocking read-back waits for the same work.
#include <optional>
#include <set>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/exposure.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

bool is_wait(const Program& program, Site site) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  return fact && event.kind == Event::Kind::kApi && waits(event, *fact) && !fact->copy &&
         (fact->waits_for == WaitsFor::kDevice || fact->waits_for == WaitsFor::kStream);
}

bool is_blocking_readback(const Program& program, Site site) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (!fact || event.kind != Event::Kind::kApi || !fact->copy || !waits(event, *fact)) return false;
  for (const Located& where : locate(program, site)) {
    if (read_copy(program, where).direction == Direction::kDeviceToHost) return true;
  }
  return false;
}

bool waits_for_device(const Program& program, Site site) {
  return program.api(program.event(site))->waits_for == WaitsFor::kDevice;
}

// Whether both name the same stream variable, whose value does not change in between. An index or a call may yield
// another stream each time, so it does not count.
bool same_stream(const Program& program, Site a, Site b) {
  const Event& first = program.event(a);
  const Event& second = program.event(b);
  const ApiFact* fact = program.api(first);
  // For the synchronize() method of a stream object, the stream is not tracked.
  if (!fact || fact->stream_arg < 0 || fact->stream_arg >= static_cast<int>(first.args.size())) return false;
  if (first.callee.id != second.callee.id || first.stream.text != second.stream.text) return false;
  if (first.stream.text.empty()) return true;
  if (first.stream.text.find_first_of("[(*+") != std::string::npos) return false;
  const Value& value = first.args[fact->stream_arg].value;
  return value.kind == Value::Kind::kNode && value.node == second.args[fact->stream_arg].value.node &&
         !program.flows().written_between(value.node, a.function, first.place, second.place);
}

// Whether the program switches between devices; then a wait for "the device" waits only for the current one.
bool uses_several_devices(const Program& program) {
  std::set<std::string> chosen;
  for (const auto* function : program.functions()) {
    for (const Event& event : function->events) {
      const ApiFact* fact = program.api(event);
      if (!fact || !fact->switches_device) continue;
      for (int r = event.region; r >= 0; r = function->regions[r].parent) {
        if (function->regions[r].kind == Region::Kind::kLoop) return true;
      }
      chosen.insert(event.args.empty() ? "" : event.args.front().text);
    }
  }
  return chosen.size() > 1;
}

// Whether all work that `second` would wait for is done when `first` has returned. A `first` that is a wait runs before
// `second`; a blocking read-back may run after it.
bool covers(const Program& program, Site first, Site second, bool several_devices) {
  if (is_wait(program, first) && !waits_for_device(program, first)) {
    return !waits_for_device(program, second) && same_stream(program, first, second);
  }
  if (several_devices) return false;
  if (is_wait(program, first)) {
    // torch::cuda::synchronize(1) waits for the device that it names.
    const Event& one = program.event(first);
    const Event& other = program.event(second);
    if (!waits_for_device(program, second)) return one.args.empty();
    return one.args.empty()
               ? other.args.empty()
               : one.callee.id == other.callee.id &&
                     std::ranges::equal(one.args, other.args, {}, &facts::Argument::text, &facts::Argument::text);
  }
  // A blocking copy runs on the legacy stream and waits for the work there. Whether it also waits for another stream
  // depends on how that stream was created, so the program must use no other stream, and call no code of unknown
  // source.
  return is_blocking_readback(program, first) && program.usage().only_legacy_stream &&
         !program.effects().of(first.function).unknown;
}

// Whether `later` can run only after `earlier`, in the same iteration.
bool dominates(const facts::Function& f, int earlier_region, int later_region) {
  earlier_region = program::without_braces(f, earlier_region);
  for (int r = later_region; r >= 0; r = f.regions[r].parent) {
    if (r == earlier_region) return true;
    if (f.regions[r].kind == Region::Kind::kLoop) return false;
  }
  return false;
}

bool only_on_error(const facts::Function& f, int region) {
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].gate == Gate::kError || f.regions[r].gate == Gate::kNever) return true;
  }
  return false;
}

// Whether the event is a check such as check(call): the call's result is passed to a function without effect on the
// GPU.
bool checks_result_of(const Event& event, int call) {
  for (const Value& arg : facts::values(event.args)) {
    if (arg.kind == Value::Kind::kCall && arg.event == call) return true;
  }
  return false;
}

// Whether only harmless statements are between the two, whatever the rest of the program does (facts/plain.h).
bool in_one_run(const Event& a, const Event& b) { return a.statement.run != 0 && a.statement.run == b.statement.run; }

// Whether nothing between the two can enqueue work or let another thread do so. A function of unknown source can,
// unless it is declared by the C or C++ library.
bool nothing_enqueued_between(const Program& program, int function, int from, int to) {
  const auto& f = program.function(function);
  for (int e = from + 1; e < to; ++e) {
    const Event& event = f.events[e];
    if (only_on_error(f, event.region)) continue;
    const auto effects = program.effects_of({function, e});
    if (effects.enqueues || effects.waits || effects.unknown) return false;
    const ApiFact* fact = program.api(event);
    if (fact && fact->switches_device) return false;
  }
  return true;
}

// Whether nothing is between the two but the check of the wait's own result. Any other host code there might need the
// wait.
bool nothing_between(const Program& program, int function, int from, int to) {
  const auto& f = program.function(function);
  for (int e = from + 1; e < to; ++e) {
    const Event& event = f.events[e];
    if (only_on_error(f, event.region) || checks_result_of(event, from)) continue;
    return false;
  }
  return true;
}

// Adds an edit that deletes the wait, only if it is the second of two adjacent statements with the same text in one
// block: another build configuration, an error or the rest of the program then affects both alike. Whether to delete
// other redundant waits is left to the reader.
void add_deletion(const Program& program, Site wait, Site before, Finding& finding) {
  const Event& event = program.event(wait);
  const Event& first = program.event(before);
  if (!event.statement.place.length || event.statement.text.empty() || event.statement.text != first.statement.text ||
      event.statement.position != first.statement.position + 1)
    return;
  finding.fix.tier = FixTier::kSafe;
  finding.fix.edits.push_back(
      {event.statement.place.file, event.statement.place.offset, event.statement.place.length, ""});
}

// An earlier call that covers the wait: host code in between does not matter.
std::optional<int> covering_before(const Program& program, Site wait, bool several_devices) {
  const auto& function = program.function(wait.function);
  const Event& event = function.events[wait.event];
  for (int p = wait.event - 1; p >= 0; --p) {
    const Site earlier{wait.function, p};
    if (!is_wait(program, earlier) && !is_blocking_readback(program, earlier)) continue;
    const bool covered = dominates(function, function.events[p].region, event.region) &&
                         !program::is_label_between(function, p, wait.event) && in_one_run(function.events[p], event) &&
                         covers(program, earlier, wait, several_devices) &&
                         nothing_enqueued_between(program, wait.function, p, wait.event);
    return covered ? std::optional(p) : std::nullopt;
  }
  return std::nullopt;
}

// A following read-back that covers the wait, only if no host code in between could need the result.
std::optional<int> covering_after(const Program& program, Site wait, bool several_devices) {
  const auto& function = program.function(wait.function);
  const Event& event = function.events[wait.event];
  for (int n = wait.event + 1; n < static_cast<int>(function.events.size()); ++n) {
    const Site later{wait.function, n};
    const Event& next = function.events[n];
    if (is_blocking_readback(program, later)) {
      const bool covered = next.region == event.region && !program::is_label_between(function, wait.event, n) &&
                           in_one_run(next, event) && next.statement.position == event.statement.position + 1 &&
                           covers(program, later, wait, several_devices) &&
                           nothing_between(program, wait.function, wait.event, n);
      return covered ? std::optional(n) : std::nullopt;
    }
    if (program.effects_of(later).enqueues || is_wait(program, later)) break;
  }
  return std::nullopt;
}

}  // namespace

void redundant_sync(const Program& program, Reporter& reporter) {
  const bool several_devices = uses_several_devices(program);
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      if (!is_wait(program, {f, e})) continue;
      const Located where = located_at({f, e}, program.heat(Site{f, e}));
      if (!where.heat.hot || where.heat.dropped || is_timing(program, where.at)) continue;
      const auto report_covered = [&](int other, const char* how) {
        Finding& finding = reporter.report("redundant-sync", program, where,
                                           function.events[e].callee.name + " has nothing to wait for: " + how + " '" +
                                               function.events[other].callee.name + "' on line " +
                                               std::to_string(function.events[other].place.line));
        finding.evidence.push_back({to_location(function.events[other].place), "this call waits for the same work"});
        if (other < e) add_deletion(program, where.at, {f, other}, finding);
      };
      if (const auto before = covering_before(program, {f, e}, several_devices))
        report_covered(*before, "nothing was enqueued since");
      else if (const auto after = covering_after(program, {f, e}, several_devices))
        report_covered(*after, "it is immediately followed by");
    }
  }
}

}  // namespace syncsniff::checks
