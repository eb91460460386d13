#include "instrument/compare/file_match.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "instrument/report/path_match.h"

namespace syncsniff::compare {

std::map<std::string, std::string> match_files(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::map<std::string, std::vector<std::string>> by_name;  // files of a
  for (const std::string& file : a) by_name[report::last_component(file)].push_back(file);
  using Candidate = std::tuple<bool, int, std::string, std::string>;  // equal, shared components, file of b, of a
  std::vector<Candidate> candidates;
  for (const std::string& file : b)
    if (const auto it = by_name.find(report::last_component(file)); it != by_name.end())
      for (const std::string& old : it->second)
        candidates.emplace_back(old == file, report::common_suffix(old, file), file, old);
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
  std::map<std::string, std::string> old_name;
  std::set<std::string> taken;
  for (const auto& [equal, shared, file, old] : candidates)
    if (old_name.count(file) == 0 && taken.insert(old).second) old_name[file] = old;
  return old_name;
}

}  // namespace syncsniff::compare
