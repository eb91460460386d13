#include "analyzer/checks/causes.h"

#include "analyzer/program/regions.h"

namespace syncsniff::checks {

static constexpr size_t kMostFeeding = 8;  // of a loop with more, no change of some makes it hot

void Causes::add_names(int function, std::vector<Location>& to) const {
  for (const facts::Place& place : program_.namings().of(function)) to.push_back(to_location(place));
}

std::vector<FedBy> Causes::fed_by(int function, int loop) const {
  const auto& f = program_.function(function);
  std::vector<FedBy> out;
  for (int e = 0; e < static_cast<int>(f.events.size()) && out.size() <= kMostFeeding; ++e) {
    const Event& event = f.events[e];
    if (!program_.inside(f, event.region, loop) || program::is_off(f, event.region)) continue;
    if (!program_.effects_of({function, e}).launches) continue;
    FedBy& by = out.emplace_back(FedBy{to_location(event.place), {}});
    if (!event.callee.indirect) continue;
    for (const int callee : program_.callees({function, e}))
      if (program_.effects().of(callee).launches) add_names(callee, by.names);
  }
  if (out.size() > kMostFeeding) out.clear();
  return out;
}

void Causes::add_to(Finding& finding, const program::Way& way, const Located& where) const {
  if (way.heat.by == Heat::By::kLoop && way.heat.loop_function >= 0 && way.heat.loop_region >= 0) {
    const std::pair<int, int> loop{way.heat.loop_function, way.heat.loop_region};
    const auto [known, fresh] = loops_.try_emplace(loop);
    if (fresh) known->second = fed_by(loop.first, loop.second);
    finding.fed_by = known->second;
  }
  std::vector<Site> sites;
  for (size_t i = way.hot; i < way.calls.size(); ++i) sites.push_back(way.calls[i]);
  sites.push_back(where.at);
  sites.insert(sites.end(), where.inner.begin(), where.inner.end());
  for (size_t i = 0; i + 1 < sites.size(); ++i)
    if (program_.event(sites[i]).callee.indirect) add_names(sites[i + 1].function, finding.named_at);
}

}  // namespace syncsniff::checks
