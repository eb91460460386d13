#include "analyzer/checks/managed_memory.h"

#include <algorithm>

#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr int kMostCallsToLoop = 6;  // calls followed up to the loop, and down into callees
constexpr int kMostLooked = 4000;    // events

enum class Met { kNothing, kTouch, kWait };

class Follower {
 public:
  Follower(const Program& program, const ManagedMemory& memory, bool unknown_counts, bool for_all_work)
      : program_(program), memory_(memory), unknown_counts_(unknown_counts), for_all_work_(for_all_work) {}

  // Accesses that only some of the wait's iterations make; complete only if touches_after() found no access that every
  // iteration makes.
  const std::vector<Site>& seldom() const { return seldom_; }
  // The access that every iteration makes, if touches_after() found one.
  std::optional<Site> touch() const { return touch_; }

  // Whether the host accesses the memory after the site, before the next wait. Searches the rest of the enclosing loop
  // and then its beginning; without a loop, the rest of the function and then of its callers.
  bool touches_after(Site site, int depth) {
    if (depth > kMostCallsToLoop || !seen_.insert(site.function).second) return unknown_counts_;  // too far to tell
    const auto& f = program_.function(site.function);
    from_ = {site.function, program_.event(site).region};
    const int loop = program::innermost_loop(f, program_.event(site).region);
    const Met rest = look(site.function, site.event + 1, static_cast<int>(f.events.size()), std::max(loop, 0), 0);
    if (rest != Met::kNothing) return rest == Met::kTouch;
    if (loop >= 0) return look(site.function, 0, site.event, loop, 0) == Met::kTouch;
    for (const Site& caller : program_.callers(site.function)) {
      if (touches_after(caller, depth + 1)) return true;
    }
    // The next call of the function runs the code before the wait.
    return look(site.function, 0, site.event, 0, 0) == Met::kTouch;
  }

 private:
  // What comes first in the region: an access by the host, a wait, or neither.
  Met look(int function, int from, int to, int region, int depth) {
    const auto& f = program_.function(function);
    for (int e = from; e < to; ++e) {
      if (++looked_ > kMostLooked) return unknown();
      const Event& event = f.events[e];
      if (!program_.inside(f, event.region, region) || program::is_off(f, event.region)) continue;
      if (touches({function, e})) {
        if (!runs_seldom(function, event.region)) {
          touch_ = Site{function, e};
          return Met::kTouch;
        }
        seldom_.push_back({function, e});
        continue;
      }
      // Only a wait that every iteration makes counts.
      const bool always = event.region == region;
      // A second wait with nothing enqueued in between waits for no more than the first; redundant-sync reports it.
      if (always && enqueued_ && waits_for_all({function, e})) return Met::kWait;
      enqueued_ |= program_.callees({function, e}).empty() && program_.effects_of({function, e}).enqueues;
      if (const Met inside = look_inside({function, e}, always, depth); inside != Met::kNothing) return inside;
    }
    return Met::kNothing;
  }

  // What comes first in the functions that the call may run. `always`: every iteration makes the call.
  Met look_inside(Site call, bool always, int depth) {
    for (int callee : program_.callees(call)) {
      const Met inside = depth >= kMostCallsToLoop
                             ? unknown()
                             : look(callee, 0, static_cast<int>(program_.function(callee).events.size()), 0, depth + 1);
      if (inside == Met::kTouch) {
        if (!runs_seldom(call.function, program_.event(call).region)) return Met::kTouch;
        seldom_.push_back(call);
      }
      if (inside == Met::kWait && always && program_.callees(call).size() == 1) return Met::kWait;
    }
    return Met::kNothing;
  }

  Met unknown() const { return unknown_counts_ ? Met::kTouch : Met::kNothing; }

  // Whether a condition such as `if (step % 100 == 0)` is around the access but not around the wait.
  bool runs_seldom(int function, int region) const {
    const auto& f = program_.function(function);
    for (int r = region; r > 0; r = f.regions[r].parent) {
      if (function == from_.first && program_.inside(f, from_.second, r)) return false;
      const Gate gate = f.regions[r].gate;
      if (gate == Gate::kModulo || gate == Gate::kOnce || gate == Gate::kDebug) return true;
    }
    return false;
  }

  bool waits_for_all(Site site) const {
    const Event& event = program_.event(site);
    const ApiFact* fact = program_.api(event);
    if (!fact || event.kind != Event::Kind::kApi || !waits(event, *fact)) return false;
    return fact->copy.has_value() || fact->waits_for == WaitsFor::kDevice || fact->waits_for == WaitsFor::kStream;
  }

  bool is_this_memory(const Value& pointer, Site site) const {
    if (pointer.kind == Value::Kind::kUnknown || pointer.kind == Value::Kind::kConstant) return false;
    if (pointer.kind == Value::Kind::kObject) return pointer.memory == MemoryKind::kManaged;  // &descriptor
    if (memory_.empty() && !unknown_counts_) return false;                                    // no access counts
    const auto origins = program_.origins(pointer, program_.reading(site));
    if (origins.all.empty()) return origins.unknown && unknown_counts_;  // it may be any memory
    return std::any_of(origins.all.begin(), origins.all.end(), [&](const program::Origin& origin) {
      return memory_.count({origin.place.file, origin.place.offset}) != 0;
    });
  }

  bool is_device_memory(const Value& pointer, Site site) const {
    return program_.origins(pointer, program_.reading(site)).has(MemoryKind::kDevice);
  }

  bool touches(Site site) const {
    const Event& event = program_.event(site);
    if (event.kind == Event::Kind::kHostRead || event.kind == Event::Kind::kStore)
      return event.object.memory == MemoryKind::kManaged || is_this_memory(event.object, site);
    // fwrite(memory, ...), printf("%f", *memory): the library function reads its arguments on the host.
    const ApiFact* fact = program_.api(event);
    if (event.kind == Event::Kind::kApi && fact && !fact->host_work.empty())
      return std::ranges::any_of(facts::values(event.args),
                                 [&](const Value& argument) { return is_this_memory(argument, site); });
    // MPI_Send(gradients) needs a wait after the kernel that wrote what is sent. A wait for the whole device after
    // which more work is enqueued is not that wait.
    if (event.kind == Event::Kind::kApi && fact && fact->uses_device_memory)
      return !(for_all_work_ && enqueued_) &&
             std::ranges::any_of(facts::values(event.args),
                                 [&](const Value& argument) { return is_device_memory(argument, site); });
    // memcpy, std::accumulate, and other functions of unknown source may access what they are passed. std::swap(a, b)
    // exchanges two pointers; std::swap(a[0], a[1]) exchanges what they point to.
    if (event.kind != Event::Kind::kCall || !program_.callees(site).empty()) return false;
    const bool names_pointers = std::ranges::all_of(event.args, [](const facts::Argument& argument) {
      return !argument.node.empty() && !argument.node.str().starts_with("*");
    });
    if (event.callee.harmless && event.callee.name == "std::swap" && names_pointers) return false;
    const bool holds_its_own = event.object.memory == MemoryKind::kPageable;  // a std::vector
    if (!event.object.node.empty() && !holds_its_own && is_this_memory(event.object, site)) return true;
    return std::ranges::any_of(facts::values(event.args),
                               [&](const Value& argument) { return is_this_memory(argument, site); });
  }

  const Program& program_;
  const ManagedMemory& memory_;
  const bool unknown_counts_;
  const bool for_all_work_;  // the wait is one for the whole device
  std::set<int> seen_;
  std::vector<Site> seldom_;
  std::optional<Site> touch_;
  std::pair<int, int> from_;  // the function whose rest is searched, and the region of the wait or call in it
  int looked_ = 0;
  bool enqueued_ = false;  // since the wait
};

}  // namespace

ManagedMemory managed_in(const program::Origins& origins) {
  ManagedMemory out;
  for (const program::Origin& origin : origins.all) {
    if (origin.memory == MemoryKind::kManaged) out.emplace(origin.place.file, origin.place.offset);
  }
  return out;
}

ManagedMemory mapped_memory(const Program& program) {
  ManagedMemory out;
  const auto& calls = program.code().api_calls();
  const bool pins = std::any_of(calls.begin(), calls.end(),
                                [](const auto& call) { return call.fact->allocates == MemoryKind::kPinned; });
  for (int f = 0; f < static_cast<int>(program.functions().size()) && pins; ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (events[e].kind != Event::Kind::kLaunch) continue;
      for (const Value& pointer : facts::values(events[e].args)) {
        const auto origins = program.origins(pointer, program.reading({f, e}));
        if (origins.proved() != MemoryKind::kPinned) continue;
        for (const program::Origin& origin : origins.all) out.emplace(origin.place.file, origin.place.offset);
      }
    }
  }
  return out;
}

bool hands_device_memory_on(const Program& program) {
  const auto& calls = program.code().api_calls();
  return std::any_of(calls.begin(), calls.end(), [](const auto& call) { return call.fact->uses_device_memory; });
}

HostTouch host_touch_before_next_wait(const Program& program, Site wait, const ManagedMemory& memory,
                                      bool unknown_counts, bool for_all_work) {
  Follower follower(program, memory, unknown_counts, for_all_work);
  HostTouch out;
  out.always = follower.touches_after(wait, 0);
  if (out.always) out.touch = follower.touch();
  if (!out.always && !follower.seldom().empty()) out.seldom = follower.seldom().front();
  return out;
}

}  // namespace syncsniff::checks
