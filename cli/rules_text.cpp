#include "cli/rules_text.h"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "rules/api_facts.h"
#include "rules/nearest_name.h"
#include "rules/rule.h"
#include "rules/rule_choice.h"
#include "rules/thresholds.h"
#include "rules/untrusted_text.h"

namespace syncsniff::cli {
namespace {

constexpr size_t kWidth = 96;

std::map<std::string, Rule> rules() { return load_rules(data_directory() + "/rules/checks"); }

void paragraph(const std::string& text, std::ostream& out) {
  std::istringstream words(printable_lines(text));
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out << "  " << line << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) out << "  " << line << '\n';
}

void section(const char* title, const std::string& text, std::ostream& out) {
  if (text.empty()) return;
  out << '\n' << title << '\n';
  paragraph(text, out);
}

void code(const char* title, const std::string& text, std::ostream& out) {
  if (text.empty()) return;
  out << '\n' << title << '\n';
  std::istringstream lines(printable_lines(text));
  for (std::string line; std::getline(lines, line);) out << "    " << line << '\n';
}

void list_line(const Rule& rule, size_t width, std::ostream& out) {
  out << rule.id << std::string(width - rule.id.size(), ' ') << "  level " << rule.level << "  "
      << printable(rule.summary) << '\n';
}

size_t widest_id(const std::map<std::string, Rule>& all) {
  size_t width = 0;
  for (const auto& [id, rule] : all) width = std::max(width, id.size());
  return width;
}

constexpr const char* kLevels[] = {"no known false alarm, on by default", "likely, on by default",
                                   "advice, off by default"};

std::string level_text(const Rule& rule) {
  return "level " + std::to_string(rule.level) + ": " + kLevels[std::clamp(rule.level, 0, 2)];
}

// Says why the rule is on or off, where its level is not the reason.
std::string state_text(const std::string& id, const Rule& rule, const Config& config,
                       const std::map<std::string, Rule>& all) {
  const bool on = chosen_rules({config.rules.value, config.level.value}, all).count(id) != 0;
  if (on == (rule.level <= 1)) return "";
  const std::string& by = config.rules.is_default() ? config.level.origin : config.rules.origin;
  return std::string(on ? "on" : "off") + " here, by " + printable(by);
}

void thresholds(const std::string& id, const Rule& rule, const Config& config, std::ostream& out) {
  if (rule.thresholds.empty()) return;
  out << "\nThresholds\n";
  const auto given = config.thresholds.find(id);
  for (const auto& [name, usual] : rule.thresholds) {
    const ThresholdName* known = find_threshold(name);
    std::string line = name + " = ";
    const bool changed = given != config.thresholds.end() && given->second.count(name) != 0;
    line += threshold_text(changed ? given->second.at(name).value : usual);
    if (changed) line += ", by " + given->second.at(name).origin + " instead of " + threshold_text(usual);
    paragraph("- " + line + ": " + known->meaning, out);
  }
}

}  // namespace

void print_rules(std::ostream& out) {
  const auto all = rules();
  for (const auto& [id, rule] : all) list_line(rule, widest_id(all), out);
}

void print_checks(const ConfigChoice& choice, bool with_others, std::ostream& out) {
  const auto all = rules();
  const Config config = load_config(choice, all);
  const std::map<std::string, int> on = chosen_rules({config.rules.value, config.level.value}, all);
  for (const auto& [id, rule] : all) {
    const bool is_on = on.count(id) != 0;
    if (!is_on && !with_others) continue;
    if (with_others) out << (is_on ? "on   " : "off  ");
    list_line(rule, widest_id(all), out);
  }
}

void print_rule(const std::string& name, const ConfigChoice& choice, std::ostream& out) {
  const std::string prefix = "syncsniff-";  // as NOLINT and clang-tidy's users write it
  const std::string id = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  const auto all = rules();
  const auto it = all.find(id);
  if (it == all.end()) {
    std::vector<std::string> ids;
    for (const auto& [known, rule] : all) ids.push_back(known);
    const std::string nearest = nearest_name(id, ids);
    throw std::runtime_error(id + ": no such rule; " +
                             (nearest.empty() ? "`syncsniff rules` lists them" : "did you mean '" + nearest + "'?"));
  }
  const Rule& rule = it->second;
  const Config config = load_config(choice, all);
  const std::string state = state_text(id, rule, config, all);
  out << rule.id << "  (" << rule.group << "; " << level_text(rule) << (state.empty() ? "" : "; " + state) << ")\n";
  paragraph(rule.summary, out);
  section("Why it costs", rule.why, out);
  if (!rule.never.empty()) out << "\nNever flagged\n";
  for (const std::string& line : rule.never) paragraph("- " + line, out);
  code("Bad", rule.bad, out);
  code("Good", rule.good, out);
  section("Fix", rule.fix, out);
  if (!rule.fix_for.empty()) out << "\nIn special cases the fix is\n";
  for (const auto& [name, fix] : rule.fix_for) paragraph("- " + fix, out);
  section("Safety of the fix", rule.fix_safety, out);
  thresholds(id, rule, config, out);
  out << "\nTo allow one place\n  // syncsniff: allow(" << rule.id
      << ") reason\n  on the line or the one before it, or\n"
      << "  // NOLINT(syncsniff-" << rule.id << ")\n\nTo turn the rule off in .syncsniff.yaml\n  rules: [-" << rule.id
      << "]\n";
}

}  // namespace syncsniff::cli
