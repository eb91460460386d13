#include "analyzer/checks/kernel_launches.h"

#include <algorithm>

#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

namespace {

// Threads per block of a launch whose block size is a constant or a dim3 of constants, "dim3(32,4,)"; 0: unknown.
long long threads_of(const facts::Sum& block) {
  if (facts::is_constant(block)) return facts::constant_part(block);
  if (block.products.size() != 1 || block.products[0].factor != 1 || block.products[0].of.size() != 1) return 0;
  const std::string& text = block.products[0].of[0];
  static const std::string kMade = "dim3(";
  if (text.rfind(kMade, 0) != 0) return 0;
  long long threads = 1;
  for (size_t at = kMade.size(); at < text.size() && text[at] != ')';) {
    const size_t comma = text.find(',', at);
    if (comma == std::string::npos || comma == at || comma - at > 6) return 0;
    if (text.find_first_not_of("0123456789", at) != comma) return 0;
    threads *= std::stoll(text.substr(at, comma - at));
    at = comma + 1;
  }
  return threads;
}

}  // namespace

KernelLaunches::KernelLaunches(const Program& program) : program_(program) {
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (events[e].kind == Event::Kind::kLaunch) launches_[events[e].callee.id].push_back({f, e});
    }
  }
}

Heat KernelLaunches::heat(const std::string& kernel) const {
  Heat best;
  best.severity = Severity::kMedium;
  const auto launches = launches_.find(kernel);
  if (launches == launches_.end()) return best;
  for (const Site& site : launches->second) {
    const Heat heat = program_.heat(site);
    if (heat.hot && !heat.dropped && heat.score() > best.score()) best = heat;
  }
  return best;
}

bool KernelLaunches::only_blocks_of(const std::string& kernel, long long threads) const {
  const auto launches = launches_.find(kernel);
  if (launches == launches_.end()) return false;
  return std::all_of(launches->second.begin(), launches->second.end(), [&](const Site& site) {
    const auto& on = program_.event(site).launched_on;
    const long long block = on.size() > 1 ? threads_of(on[1]) : 0;
    return block > 0 && block <= threads;
  });
}

}  // namespace syncsniff::checks
