#include "analyzer/checks/launch_count.h"

#include <algorithm>
#include <map>
#include <set>

namespace syncsniff::checks {

namespace {

// The outermost switch that contains the region; only one of its statements runs. -1: none.
int switch_around(const facts::Function& f, int region) {
  int found = -1;
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].is_switch) found = r;
  }
  return found;
}

int count(const Program& program, Site site, int most, std::set<int>& seen);

// The launches of one call of the function. A switch that picks a kernel's instance by a type runs only one of its
// statements, so its largest statement counts.
int count_in(const Program& program, int function, int most, std::set<int>& seen) {
  const auto& f = program.function(function);
  int launches = 0;
  std::map<int, int> of_switches;
  for (int e = 0; e < static_cast<int>(f.events.size()) && launches <= most; ++e) {
    if (!program.effects_of({function, e}).launches) continue;
    const int behind = count(program, {function, e}, most, seen);
    if (const int around = switch_around(f, f.events[e].region); around >= 0)
      of_switches[around] = std::max(of_switches[around], behind);
    else
      launches += behind;
  }
  for (const auto& [region, largest] : of_switches) launches += largest;
  return launches;
}

int count(const Program& program, Site site, int most, std::set<int>& seen) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kTensor || (fact && fact->launches_kernel))
    return 1;
  // A call through a table or of a virtual function runs only one of its possible callees, so the largest counts.
  int largest = 0;
  for (int callee : program.callees(site)) {
    if (seen.insert(callee).second) largest = std::max(largest, count_in(program, callee, most, seen));
  }
  return largest;
}

}  // namespace

int launches_behind(const Program& program, Site site, int most) {
  std::set<int> seen;
  return count(program, site, most, seen);
}

}  // namespace syncsniff::checks
