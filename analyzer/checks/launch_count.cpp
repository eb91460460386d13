#include "analyzer/checks/launch_count.h"

#include <algorithm>
#include <map>
#include <set>

namespace syncsniff::checks {

namespace {

// The outermost switch around the event of which one statement runs; -1: it stands in none.
int switch_around(const facts::Function& f, int region) {
  int found = -1;
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].is_switch) found = r;
  }
  return found;
}

int count(const Program& program, Site site, int most, std::set<int>& seen);

// In one call of the function. Of the statements of a switch, which picks a kernel's instance by a type, one runs.
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
  // Of several, by a table or a virtual function, one call runs one.
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
