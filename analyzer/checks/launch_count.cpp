#include "analyzer/checks/launch_count.h"

#include <algorithm>
#include <set>

namespace syncsniff::checks {

namespace {

int count(const Program& program, Site site, int most, std::set<int>& seen) {
  const Event& event = program.event(site);
  const ApiFact* fact = program.api(event);
  if (event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kTensor || (fact && fact->launches_kernel))
    return 1;
  // Of several, by a table or a virtual function, one call runs one.
  int largest = 0;
  for (int callee : program.callees(site)) {
    if (!seen.insert(callee).second) continue;
    const auto& events = program.function(callee).events;
    int launches = 0;
    for (int e = 0; e < static_cast<int>(events.size()) && launches <= most; ++e) {
      if (program.effects_of({callee, e}).launches) launches += count(program, {callee, e}, most, seen);
    }
    largest = std::max(largest, launches);
  }
  return largest;
}

}  // namespace

int launches_behind(const Program& program, Site site, int most) {
  std::set<int> seen;
  return count(program, site, most, seen);
}

}  // namespace syncsniff::checks
