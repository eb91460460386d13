// redundant-sync: a wait with nothing to wait for, since another wait or a blocking read-back covers it.
#include <set>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/exposure.h"

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

// Both name one stream variable that keeps its value in between; indices and calls may mean another stream each time.
bool same_stream(const Program& program, Site a, Site b) {
  const Event& first = program.event(a);
  const Event& second = program.event(b);
  const ApiFact* fact = program.api(first);
  // A stream object's own synchronize(): which stream that is, is not followed.
  if (!fact || fact->stream_arg < 0 || fact->stream_arg >= static_cast<int>(first.args.size())) return false;
  if (first.callee != second.callee || first.stream != second.stream) return false;
  if (first.stream.empty()) return true;
  if (first.stream.find_first_of("[(*+") != std::string::npos) return false;
  const Value& value = first.args[fact->stream_arg];
  return value.kind == Value::Kind::kNode && value.node == second.args[fact->stream_arg].node &&
         !program.written_between(value.node, a.function, first.place, second.place);
}

// The program goes from device to device: a wait for "the device" is then one for the current device alone.
bool uses_several_devices(const Program& program) {
  std::set<std::string> chosen;
  for (const auto* function : program.functions()) {
    for (const Event& event : function->events) {
      const ApiFact* fact = program.api(event);
      if (!fact || !fact->switches_device) continue;
      for (int r = event.region; r >= 0; r = function->regions[r].parent) {
        if (function->regions[r].kind == Region::Kind::kLoop) return true;
      }
      chosen.insert(event.arg_texts.empty() ? "" : event.arg_texts.front());
    }
  }
  return chosen.size() > 1;
}

// After `first` returned, everything that `second` would wait for is done. A wait comes before `second`; a blocking
// read-back may come after it.
bool covers(const Program& program, Site first, Site second, bool several_devices) {
  if (is_wait(program, first) && !waits_for_device(program, first)) {
    return !waits_for_device(program, second) && same_stream(program, first, second);
  }
  if (several_devices) return false;
  if (is_wait(program, first)) {
    // torch::cuda::synchronize(1): "the device" is the one that it names.
    const Event& one = program.event(first);
    const Event& other = program.event(second);
    if (!waits_for_device(program, second)) return one.args.empty();
    return one.args.empty() ? other.args.empty() : one.callee == other.callee && one.arg_texts == other.arg_texts;
  }
  // A blocking copy runs on the legacy stream, and waits for what else is there. Whether another stream is one of those
  // that it waits for, too, only its maker knows; so does a library that nobody here has seen.
  return is_blocking_readback(program, first) && program.only_legacy_stream() &&
         !program.effects(first.function).unknown;
}

// Straight line: `later` always runs after `earlier`, in the same iteration.
bool dominates(const facts::Function& f, int earlier_region, int later_region) {
  while (f.regions[earlier_region].bare) earlier_region = f.regions[earlier_region].parent;
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

// check(call): the call's own result handed to a function that does nothing to the GPU.
bool checks_result_of(const Event& event, int call) {
  for (const Value& arg : event.args) {
    if (arg.kind == Value::Kind::kCall && arg.event == call) return true;
  }
  return false;
}

// What parts them is known to be harmless, whatever the rest of the program is (facts/plain.h).
bool in_one_run(const Event& a, const Event& b) { return a.run != 0 && a.run == b.run; }

// Nothing between may put work on the GPU, nor let somebody else do it; a call that nobody defines may, unless the C or
// C++ library declares it.
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

// Nothing at all between but the check of the wait's own result: whatever the host did there might need the wait.
bool nothing_between(const Program& program, int function, int from, int to) {
  const auto& f = program.function(function);
  for (int e = from + 1; e < to; ++e) {
    const Event& event = f.events[e];
    if (only_on_error(f, event.region) || checks_result_of(event, from)) continue;
    return false;
  }
  return true;
}

// Deleted is only the second of two statements that stand side by side in one block and read alike: whatever the rest
// of the program, another build or an error does, the first does to the second. The others are for the reader to judge.
void add_deletion(const Program& program, Site wait, Site before, Finding& finding) {
  const Event& event = program.event(wait);
  const Event& first = program.event(before);
  if (!event.statement.length || event.statement_text.empty() || event.statement_text != first.statement_text ||
      event.position != first.position + 1)
    return;
  finding.fix.tier = FixTier::kSafe;
  finding.fix.edits.push_back({event.statement.file, event.statement.offset, event.statement.length, ""});
}

}  // namespace

void redundant_sync(const Program& program, Reporter& reporter) {
  const bool several_devices = uses_several_devices(program);
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    if (function.has_labels) continue;
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      if (!is_wait(program, {f, e})) continue;
      const Located where = located_at({f, e}, program.heat(Site{f, e}));
      if (!where.heat.hot || where.heat.dropped || is_timing(program, where.at)) continue;
      const auto tell = [&](int other, const char* how) {
        Finding& finding = reporter.report("redundant-sync", program, where,
                                           function.events[e].callee_name + " has nothing to wait for: " + how + " '" +
                                               function.events[other].callee_name + "' on line " +
                                               std::to_string(function.events[other].place.line));
        finding.evidence.push_back({to_location(function.events[other].place), "this call waits for the same work"});
        if (other < e) add_deletion(program, where.at, {f, other}, finding);
      };
      // Covered by what came before: the host may do as it likes in between.
      bool told = false;
      for (int p = e - 1; p >= 0 && !told; --p) {
        if (!is_wait(program, {f, p}) && !is_blocking_readback(program, {f, p})) continue;
        if (!dominates(function, function.events[p].region, function.events[e].region)) break;
        if (!in_one_run(function.events[p], function.events[e])) break;
        if (!covers(program, {f, p}, {f, e}, several_devices) || !nothing_enqueued_between(program, f, p, e)) break;
        tell(p, "nothing was enqueued since");
        told = true;
      }
      // Covered by what follows: only when the host does nothing in between that could need the result.
      for (int n = e + 1; n < static_cast<int>(function.events.size()) && !told; ++n) {
        if (!is_blocking_readback(program, {f, n})) {
          if (program.effects_of({f, n}).enqueues || is_wait(program, {f, n})) break;
          continue;
        }
        if (function.events[n].region != function.events[e].region) break;
        if (!in_one_run(function.events[n], function.events[e]) ||
            function.events[n].position != function.events[e].position + 1)
          break;
        if (!covers(program, {f, n}, {f, e}, several_devices) || !nothing_between(program, f, e, n)) break;
        tell(n, "it is followed at once by");
        told = true;
      }
    }
  }
}

}  // namespace syncsniff::checks
