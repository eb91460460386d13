#include "analyzer/checks/usual_work.h"

#include <algorithm>
#include <vector>

#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

using facts::Region;

constexpr int kMany = 2;

void add(UsualWork& to, const UsualWork& more) {
  to.launches = std::min(kMany, to.launches + more.launches);
  to.elementwise &= more.elementwise;
  to.reads_back |= more.reads_back;
}

// The work that is certain whichever of the two branches runs.
UsualWork either(const UsualWork& a, const UsualWork& b) {
  return {std::min(a.launches, b.launches), a.elementwise && b.elementwise, a.reads_back || b.reads_back};
}

// Combines the work of a function's regions, from the innermost ones outward.
class Regions {
 public:
  explicit Regions(const facts::Function& function)
      : f_(function), own_(function.regions.size()), alternatives_(function.regions.size()) {}

  void add_event(int region, const UsualWork& work) {
    if (f_.regions[region].is_switch)
      add_alternative(region, region, work);
    else
      add(own_[region], work);
  }

  UsualWork total() {
    for (int r = static_cast<int>(f_.regions.size()) - 1; r > 0; --r) {
      join_alternatives(r);
      hand_outward(r);
    }
    join_alternatives(0);
    return own_[0];
  }

 private:
  struct Alternative {
    int of = -1;  // the place of the test
    int count = 0;
    UsualWork work;
  };

  void add_alternative(int around, int of, const UsualWork& work) {
    for (Alternative& known : alternatives_[around]) {
      if (known.of != of) continue;
      ++known.count;
      known.work = either(known.work, work);
      return;
    }
    alternatives_[around].push_back({of, 1, work});
  }

  // A single branch counts nothing: if its condition is false, none of its work is done.
  void join_alternatives(int region) {
    for (const Alternative& alternative : alternatives_[region]) {
      if (alternative.count > 1 || f_.regions[region].is_switch) add(own_[region], alternative.work);
    }
  }

  void hand_outward(int r) {
    const Region& region = f_.regions[r];
    UsualWork work = own_[r];
    if (program::is_off(f_, r)) return;
    // for (offset = 0; offset < n; offset += step): processes one operation in parts, usually in a single one.
    const bool in_parts = !region.unit_step && !region.multiplies;
    if (region.kind == Region::Kind::kLoop && !in_parts && work.launches > 0) work.launches = kMany;
    if (f_.regions[region.parent].is_switch) {
      if (work.launches > 0) add_alternative(region.parent, region.parent, work);
    } else if (region.kind == Region::Kind::kLoop || region.bare || region.is_switch) {
      add(own_[region.parent], work);
    } else {
      add_alternative(region.parent, static_cast<int>(region.place.offset), work);
    }
  }

  const facts::Function& f_;
  std::vector<UsualWork> own_;
  std::vector<std::vector<Alternative>> alternatives_;  // by the region that contains them
};

}  // namespace

bool UsualWorks::reads_back(Site site) const {
  const Event& event = program_.event(site);
  const ApiFact* fact = program_.api(event);
  if (!fact || !waits(event, *fact) || is_explicit_wait(event, *fact)) return false;
  if (fact->allocates != MemoryKind::kUnknown || fact->frees != MemoryKind::kUnknown) return false;
  if (!fact->copy) return true;
  const Direction direction = read_copy(program_, located_at(site, program_.heat(site))).direction;
  return direction == Direction::kDeviceToHost || direction == Direction::kUnknown;
}

UsualWork UsualWorks::behind(Site site) {
  const auto effects = program_.effects_of(site);
  if (!effects.launches && !effects.waits) return {};
  if (program_.event(site).kind != Event::Kind::kCall || program_.callees(site).empty())
    return {effects.launches ? 1 : 0, !effects.launches || program_.share().is_elementwise(site), reads_back(site)};
  // A call of a virtual function, or through a table, runs only one of several functions.
  UsualWork all;
  for (const int callee : program_.callees(site)) {
    const UsualWork& work = of_function(callee);
    all.launches = std::max(all.launches, work.launches);
    all.elementwise &= work.elementwise;
    all.reads_back |= work.reads_back;
  }
  return all;
}

const UsualWork& UsualWorks::of_function(int function) {
  const auto [found, is_new] = functions_.try_emplace(function);  // empty while a recursive function is read
  if (is_new) found->second = read_function(function);
  return found->second;
}

UsualWork UsualWorks::read_function(int function) {
  const auto& f = program_.function(function);
  if (f.is_kernel) return {};
  Regions regions(f);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!program::is_off(f, f.events[e].region)) regions.add_event(f.events[e].region, behind({function, e}));
  }
  return regions.total();
}

}  // namespace syncsniff::checks
