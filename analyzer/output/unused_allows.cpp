#include "analyzer/output/unused_allows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/output/conditional_lines.h"
#include "analyzer/output/summary.h"

namespace syncsniff::output {
namespace {

std::set<std::string> real_paths(const std::vector<std::string>& files) {
  std::set<std::string> paths;
  for (const std::string& file : files) paths.insert(real_path(file));
  return paths;
}

class ConditionalLines {
 public:
  explicit ConditionalLines(SourceCache& sources) : sources_(sources) {}

  bool hold(const Location& at) {
    auto [file, fresh] = blocks_.try_emplace(at.file);
    const SourceText* source = fresh ? sources_.get(at.file) : nullptr;
    if (source != nullptr) file->second = conditional_lines(*source);
    return std::any_of(file->second.begin(), file->second.end(),
                       [&](const auto& block) { return block.first <= at.line && at.line <= block.second; });
  }

 private:
  SourceCache& sources_;
  std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> blocks_;
};

}  // namespace

std::vector<UnusedAllow> unused_allows(const std::vector<SuppressionName>& comments, const std::set<std::string>& rules,
                                       const std::vector<std::string>& files, const FindingsDocument& document,
                                       SourceCache& sources) {
  std::vector<UnusedAllow> unused;
  if (!document.rules_left_out.empty()) return unused;
  std::set<std::string> not_whole;
  unsigned others = 0;
  for (const UnitStatus& unit : document.units) {
    if (unit.status == "analysed") continue;
    not_whole.insert(real_path(unit.file));
    ++others;
  }
  const std::set<std::string> requested = real_paths(files);
  ConditionalLines conditional(sources);
  for (const SuppressionName& one : comments) {
    const bool decided = std::includes(rules.begin(), rules.end(), one.rules.begin(), one.rules.end());
    if (one.used || !decided) continue;
    const std::string path = real_path(one.location.file);
    if (not_whole.count(path) != 0 || (!requested.empty() && requested.count(path) == 0)) continue;
    if (conditional.hold(one.location)) continue;
    std::string message = one.spelling + " silences no finding in this run";
    if (others > 0)
      message +=
          "; " + plural(others, "unit") + (others == 1 ? " was" : " were") + " not read completely and may need it";
    unused.push_back({one.location, std::move(message), others == 0});
  }
  return unused;
}

void keep_in_files(std::vector<UnusedAllow>& unused, const std::vector<std::string>& files) {
  const std::set<std::string> kept = real_paths(files);
  std::erase_if(unused, [&](const UnusedAllow& one) { return kept.count(real_path(one.location.file)) == 0; });
}

}  // namespace syncsniff::output
