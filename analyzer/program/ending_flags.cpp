#include "analyzer/program/ending_flags.h"

#include <algorithm>
#include <vector>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

static bool is_result(const facts::Text& flag) { return flag.str().starts_with("r:"); }

bool EndingFlags::ends(int loop_function, int loop, int function, int region) const {
  const Function& f = code_.function(function);
  if (f.flag_writes.empty() || code_.function(loop_function).regions[loop].ends_if.empty()) return false;
  const std::set<Set>& ending = this->ending(loop_function, loop);
  // Other returns in the region leave it before this one.
  const auto is_only_return = [&](const facts::FlagWrite& write) {
    return std::none_of(f.flag_writes.begin(), f.flag_writes.end(), [&](const facts::FlagWrite& other) {
      return other.flag == write.flag && other.value != write.value && code_.inside(f, other.region, region);
    });
  };
  return std::any_of(f.flag_writes.begin(), f.flag_writes.end(), [&](const facts::FlagWrite& write) {
    return write.value >= 0 && without_braces(f, write.region) == region &&
           ending.count({write.flag.str(), write.value != 0}) != 0 && (!is_result(write.flag) || is_only_return(write));
  });
}

const std::set<EndingFlags::Set>& EndingFlags::ending(int loop_function, int loop) const {
  const auto [known, fresh] = ending_.try_emplace({loop_function, loop});
  if (!fresh) return known->second;
  std::set<Set>& out = known->second;
  for (const facts::FlagValue& flag : code_.function(loop_function).regions[loop].ends_if)
    out.insert({flag.flag.str(), flag.value});
  const auto erase_what_is_set_back = [&](int function, bool in_loop_alone) {
    const Function& f = code_.function(function);
    for (const facts::FlagWrite& write : f.flag_writes) {
      if (is_result(write.flag) || (in_loop_alone && !code_.inside(f, write.region, loop))) continue;
      for (const bool value : {false, true})
        if (write.value != static_cast<int>(value)) out.erase({write.flag.str(), value});
    }
  };
  erase_what_is_set_back(loop_function, true);
  for (const int callee : called_in(loop_function, loop)) erase_what_is_set_back(callee, false);
  return out;
}

std::set<int> EndingFlags::called_in(int loop_function, int loop) const {
  std::set<int> seen;
  std::vector<int> open;
  const auto add_callees = [&](Site site) {
    for (const int callee : graph_.callees(site))
      if (seen.insert(callee).second) open.push_back(callee);
  };
  const Function& f = code_.function(loop_function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e)
    if (code_.inside(f, f.events[e].region, loop)) add_callees({loop_function, e});
  while (!open.empty()) {
    const int function = open.back();
    open.pop_back();
    for (int e = 0; e < static_cast<int>(code_.function(function).events.size()); ++e) add_callees({function, e});
  }
  return seen;
}

}  // namespace syncsniff::program
