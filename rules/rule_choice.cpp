#include "rules/rule_choice.h"

#include <algorithm>
#include <utility>

#include "rules/nearest_name.h"

namespace syncsniff {

bool glob_matches(std::string_view glob, std::string_view text) {
  size_t star = std::string_view::npos, resume = 0, g = 0, t = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*')
      star = g++, resume = t;
    else if (g < glob.size() && glob[g] == text[t])
      ++g, ++t;
    else if (star != std::string_view::npos)
      g = star + 1, t = ++resume;
    else
      return false;
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : list + ",") {
    const bool separates = c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!separates)
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  return words;
}

std::string why_no_rule(const std::string& glob, const std::map<std::string, Rule>& rules) {
  const std::string pattern = glob.substr(!glob.empty() && glob[0] == '-');
  if (pattern.empty()) return "'" + glob + "' names no rule";
  std::vector<std::string> ids;
  std::string all;
  for (const auto& [id, rule] : rules) {
    if (glob_matches(pattern, id)) return {};
    ids.push_back(id);
    all += (all.empty() ? "" : ", ") + id;
  }
  if (pattern.find('*') != std::string::npos) return "'" + pattern + "' matches no rule; there are " + all;
  const std::string nearest = nearest_name(pattern, ids);
  return "unknown rule '" + pattern + "'; " +
         (nearest.empty() ? "there are " + all : "did you mean '" + nearest + "'?");
}

std::map<std::string, int> chosen_rules(const RuleChoice& choice, const std::map<std::string, Rule>& rules) {
  std::map<std::string, int> chosen;
  for (const auto& [id, rule] : rules)
    if (rule.level <= choice.level) chosen[id] = choice.level;
  for (const std::string& glob : choice.globs) {
    const bool off = glob.starts_with('-');
    for (const auto& [id, rule] : rules) {
      if (!glob_matches(std::string_view(glob).substr(off), id)) continue;
      if (off)
        chosen.erase(id);
      else
        chosen[id] = std::max(choice.level, rule.level);
    }
  }
  return chosen;
}

}  // namespace syncsniff
