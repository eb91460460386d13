#include "analyzer/checks/exposure.h"

#include <algorithm>

#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr int kNearby = 6;  // number of API calls after a wait among which a clock reading is searched

const ApiFact* fact_at(const Program& program, int function, int event) {
  return program.api(program.function(function).events[event]);
}

bool is_seldom(Gate gate) {
  return gate == Gate::kError || gate == Gate::kNever || gate == Gate::kOnCpu || gate == Gate::kLazy ||
         gate == Gate::kModulo;
}

bool off_the_path(const facts::Function& f, int region) {
  for (int r = region; r >= 0; r = f.regions[r].parent)
    if (is_seldom(f.regions[r].gate)) return true;
  return false;
}

// The kind of host work that the event does, searched up to three calls deep in functions such as `now()`,
// `timer.stop()`, `read_batch()`. Code that runs only on errors does not count.
std::string host_work_of(const Program& program, Site site, int depth = 0) {
  const Event& event = program.event(site);
  if (const ApiFact* fact = program.api(event); fact && !fact->host_work.empty()) return fact->host_work;
  if (depth >= 3) return {};
  for (int callee : program.callees(site)) {
    const auto& events = program.function(callee).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (off_the_path(program.function(callee), events[e].region)) continue;
      std::string inner = host_work_of(program, {callee, e}, depth + 1);
      if (!inner.empty()) return inner;
    }
  }
  return {};
}

// Whether only some of the waits are followed by the reading: if (step % 100 == 0) last = now();
bool is_read_less_often(const Program& program, const facts::Function& f, int reading, int wait) {
  for (int r = reading; r >= 0 && !program.inside(f, wait, r); r = f.regions[r].parent)
    if (is_seldom(f.regions[r].gate)) return true;
  return false;
}

// Whether the reading is stored in the variable: now = clock(), clock_gettime(id, &now).
bool is_stored_in(const Event& reading, const std::string& node) {
  return !node.empty() &&
         (reading.into == node ||
          std::ranges::any_of(reading.args, [&](const facts::Argument& written) { return written.node == node; }));
}

bool is_stored(const Event& reading) {
  return !reading.into.empty() ||
         std::ranges::any_of(reading.args, [](const facts::Argument& written) { return !written.node.empty(); });
}

// The difference of this reading and an earlier one; null: there is none in the function.
const Event* difference_from(const facts::Function& f, int reading) {
  for (size_t e = reading + 1; e < f.events.size(); ++e) {
    const Event& event = f.events[e];
    if (event.kind != Event::Kind::kElapsed) continue;
    const Value& later = event.args[0].value;
    const bool is_call = later.kind == Value::Kind::kCall && later.event == reading;
    if (is_call || is_stored_in(f.events[reading], later.node)) return &event;
  }
  return nullptr;
}

// Whether a library's function gets the reading, and no container: srand(time(nullptr)), printf("%ld", time(nullptr)).
bool is_handed_to_library(const Program& program, int function, int reading) {
  const auto& events = program.function(function).events;
  const auto takes = [&](int e) {
    if (!program.callees({function, e}).empty() || events[e].object.kind != Value::Kind::kUnknown) return false;
    return std::ranges::any_of(events[e].args, [&](const facts::Argument& argument) {
      return argument.value.kind == Value::Kind::kCall && argument.value.event == reading;
    });
  };
  for (int e = reading + 1; e < static_cast<int>(events.size()); ++e)
    if (events[e].kind != Event::Kind::kElapsed && takes(e)) return true;
  return false;
}

// Whether the iterations set the variable again, but not each of them: if (now - last > kMinute) { ...; last = now; }
bool is_renewed_seldom(const Program& program, int function, facts::Text node, int loop) {
  const auto* flows = program.flows().into(node);
  if (loop < 0 || !flows) return false;
  const facts::Function& f = program.function(function);
  bool always = false, sometimes = false;
  const auto note = [&](int region) {
    if (!program.inside(f, region, loop)) return;
    region = program::without_braces(f, region);
    (region == loop ? always : sometimes) = true;
  };
  for (const program::LinkedFlow& flow : *flows)
    if (flow.function == function) note(flow.flow->region);
  return sometimes && !always;
}

// Whether the reading after the wait can be what the wait is for: the time of an iteration's work. A time stamp, a
// progress line every 100 steps and a clock that ends the loop are not.
bool measures_wait(const Program& program, int function, int reading, int wait) {
  const facts::Function& f = program.function(function);
  const Event& event = f.events[reading];
  if (is_read_less_often(program, f, event.region, f.events[wait].region)) return false;
  const ApiFact* fact = program.api(event);
  if (!fact || fact->host_work != "clock") return true;  // a timer of the program's own, or an elapsed time
  const Event* difference = difference_from(f, reading);
  if (!difference) return is_stored(event) || f.returns_time || !is_handed_to_library(program, function, reading);
  return !is_renewed_seldom(program, function, difference->args[1].value.node,
                            program::innermost_loop(f, f.events[wait].region));
}

}  // namespace

bool is_timing(const Program& program, Site wait) {
  const facts::Function& f = program.function(wait.function);
  const auto& events = f.events;
  const int loop = program::innermost_loop(f, events[wait.event].region);
  const int around = loop < 0 ? -1 : program::innermost_loop(f, f.regions[loop].parent);
  int seen = 0;
  for (int e = wait.event + 1; e < static_cast<int>(events.size()) && seen < kNearby; ++e) {
    // If the clock is read after a nest of loops, one wait after the nest is enough, and a wait in each iteration is
    // not for timing. After a single loop, the iterations may be what is measured.
    if (around >= 0 && !program.inside(f, events[e].region, around)) return false;
    const ApiFact* fact = fact_at(program, wait.function, e);
    const bool reads = (fact && fact->reads_elapsed) || host_work_of(program, {wait.function, e}) == "clock";
    if (reads && measures_wait(program, wait.function, e, wait.event)) return true;
    if (program.effects_of({wait.function, e}).enqueues) return false;
    if (events[e].kind == Event::Kind::kApi && fact && !fact->in_error_path) ++seen;
  }
  return false;
}

// The managed memory used by kernels launched before the wait. Memory that is managed only because the device has too
// little of its own is not meant for the host and is left out.
ManagedMemory managed_by_kernels_before(const Program& program, const Located& where) {
  ManagedMemory out;
  const auto& function = program.function(where.at.function);
  // where.context() belongs to the API call; the launches are in the reporting function, one context further out for
  // each wrapper.
  const program::Context* context = where.context();
  for (size_t i = 0; i < where.inner.size() && context; ++i) context = context->outer;
  for (int e = 0; e < where.at.event; ++e) {
    if (!program.effects_of({where.at.function, e}).launches) continue;
    std::vector<Value> pointers{function.events[e].object};
    for (const Value& argument : facts::values(function.events[e].args)) pointers.push_back(argument);
    for (const Value& pointer : pointers) {
      const auto origins = program.origins(pointer, program.reading({where.at.function, e}), context);
      if (!origins.has(MemoryKind::kDevice)) out.merge(managed_in(origins));
    }
  }
  return out;
}

SharedMemory::SharedMemory(const Program& program)
    : mapped(mapped_memory(program)), handed_on(hands_device_memory_on(program)), program_(program) {}

const SharedMemory::Touched& SharedMemory::touched_in(int function) const {
  const auto [entry, is_new] = by_function_.try_emplace(function);
  Touched& touched = entry->second;
  if (!is_new) return touched;
  facts::TextSet tested;
  for (const Event& event : program_.function(function).events) {
    if (event.kind != Event::Kind::kHostRead && event.kind != Event::Kind::kStore) continue;
    touched.declared |= event.object.memory == MemoryKind::kManaged;
    // Origins are computed for the function as a whole, so all accesses through one pointer have the same result.
    if (event.object.kind == Value::Kind::kNode && !tested.insert(event.object.node).second) continue;
    touched.managed.merge(managed_in(program_.origins(event.object, function)));
  }
  return touched;
}

HostTouch shared_access_behind(const Program& program, const Located& where, const SharedMemory& shared,
                               const ManagedMemory& but_for) {
  ManagedMemory memory;
  bool declared = false;
  const ApiFact* wait = program.api(program.event(where.api));
  const bool for_all_work = wait && wait->waits_for == WaitsFor::kDevice;
  if (program.usage().managed_memory) {
    memory = managed_by_kernels_before(program, where);
    // Kernels launched by called functions may use any managed memory that this function reads.
    const SharedMemory::Touched& touched = shared.touched_in(where.at.function);
    memory.insert(touched.managed.begin(), touched.managed.end());
    declared = touched.declared;
    for (const auto& allocated_at : but_for) memory.erase(allocated_at);
  }
  if (!memory.empty() || declared) {
    const HostTouch touch = host_touch_before_next_wait(program, where.at, memory, true, for_all_work);
    if (touch.always || touch.seldom) return touch;
  }
  if (shared.mapped.empty() && !shared.handed_on) return {};
  return host_touch_before_next_wait(program, where.at, shared.mapped, false, for_all_work);
}

namespace {

// The copy that the event makes, itself or through a wrapper that does nothing else.
std::optional<Site> copy_behind(const Program& program, Site site, int depth = 0) {
  constexpr int kMostDepth = 4;
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (event.kind == Event::Kind::kApi) return fact && fact->copy ? std::optional(site) : std::nullopt;
  const std::vector<int>& callees = program.callees(site);
  if (callees.size() != 1 || !program.wrappers().is_wrapper(callees.front()) || depth == kMostDepth) return {};
  std::optional<Site> only;
  const auto& events = program.function(callees.front()).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const Site inner{callees.front(), e};
    const auto copy = copy_behind(program, inner, depth + 1);
    const ApiFact* other = events[e].kind == Event::Kind::kApi ? program.api(events[e]) : nullptr;
    // A helper that also records an event, for example, lets the host use the data later.
    if (only && copy) return {};
    if (copy)
      only = copy;
    else if ((other && !other->in_error_path) || program.effects_of(inner).enqueues)
      return {};
  }
  return only;
}

}  // namespace

std::optional<Located> read_back_before(const Program& program, const Located& where) {
  const auto& function = program.function(where.at.function);
  for (int e = where.at.event - 1; e >= 0; --e) {
    const Event& before = function.events[e];
    if (program.effects_of({where.at.function, e}).launches) return {};
    const auto site = copy_behind(program, {where.at.function, e});
    if (!site) continue;
    for (const Located& copy : locate(program, *site)) {
      if (!(copy.at == Site{where.at.function, e})) continue;
      if (read_copy(program, copy).direction != Direction::kDeviceToHost) return {};
      // A copy that is itself blocking (pageable, or not Async) needs no wait after it.
      if (program.api(program.event(*site))->blocks == Blocks::kAlways) return {};
      // A copy that only some iterations make does not explain a wait that all of them make.
      if (!program.inside(function, program.event(where.at).region, before.region)) return {};
      return copy;
    }
  }
  return {};
}

bool is_waited_for_at_once(const Program& program, const Located& copy) {
  if (read_copy(program, copy).direction != Direction::kDeviceToHost) return false;
  const auto& function = program.function(copy.at.function);
  for (int e = copy.at.event + 1; e < static_cast<int>(function.events.size()); ++e) {
    const Site behind{copy.at.function, e};
    const program::Effects& effects = program.effects_of(behind);
    if (effects.launches) return false;
    if (!effects.waits || off_the_path(function, function.events[e].region)) continue;
    // A wait for an event may be for an earlier step's work.
    const ApiFact* fact = fact_at(program, copy.at.function, e);
    if (!fact || fact->copy || (fact->waits_for != WaitsFor::kStream && fact->waits_for != WaitsFor::kDevice))
      return false;
    const auto before = read_back_before(program, located_at(behind, copy.heat));
    return before && before->at == copy.at;
  }
  return false;
}

std::string exposed_host_work(const Program& program, Site wait) {
  const facts::Function& f = program.function(wait.function);
  const auto& events = f.events;
  const int loop = program::innermost_loop(f, events[wait.event].region);
  for (int e = wait.event + 1; e < static_cast<int>(events.size()); ++e) {
    if (loop >= 0 && !program.inside(f, events[e].region, loop)) return {};  // it runs once, after the loop
    if (program.effects_of({wait.function, e}).enqueues) return {};
    if (off_the_path(f, events[e].region)) continue;
    const std::string work = host_work_of(program, {wait.function, e});
    if (work == "reads") return "reads data ('" + events[e].callee.name + "')";
    if (work == "logs") return "prints or logs ('" + events[e].callee.name + "')";
    if (work == "sleeps") return "sleeps ('" + events[e].callee.name + "')";
  }
  return {};
}

}  // namespace syncsniff::checks
