#include "rules/rule_docs.h"

#include <algorithm>
#include <cctype>

#include "rules/thresholds.h"

namespace syncsniff {
namespace {

constexpr std::pair<const char*, const char*> kGroups[] = {{"waiting", "Waiting"},
                                                           {"copying", "Copying"},
                                                           {"launching", "Launching"},
                                                           {"measuring", "Measuring"},
                                                           {"kernels", "Inside kernels"}};

constexpr const char* kLevels[] = {"no known false alarm, on by default", "likely, on by default", "advice, opt-in"};

// Whether the text begins with a name in code, such as cudaFree(0), whose first letter must stay as it is.
bool begins_with_name(const std::string& text) {
  const std::string word = text.substr(0, text.find(' '));
  return std::any_of(word.begin() + (word.empty() ? 0 : 1), word.end(),
                     [](unsigned char c) { return c == '(' || c == '_' || c == ':' || std::isupper(c) != 0; });
}

std::string with_capital(std::string text) {
  if (!text.empty() && !begins_with_name(text))
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string code_block(const std::string& code) {
  return "```cpp\n" + code + (code.ends_with('\n') ? "" : "\n") + "```\n";
}

}  // namespace

std::string render_rule_page(const Rule& rule) {
  std::string page = "<!-- Made from rules/checks/" + rule.id + ".yaml by syncsniff-docs: edit that file. -->\n\n";
  page += "# " + rule.id + "\n\n" + rule.summary + "\n\n";
  page += "Group: " + rule.group + ". Level " + std::to_string(rule.level) + ": " + kLevels[rule.level] + ".\n\n";
  for (const std::string& other : rule.beside)
    page += "May be reported beside [" + other + "](" + other + ".md), for the same line.\n\n";
  // Rules about measuring and about kernels report wrong figures and races, not slow code.
  const bool slow = rule.group != "measuring" && rule.group != "kernels";
  page += std::string(slow ? "## Why it is slow" : "## Why") + "\n\n" + rule.why + "\n\n";
  page += "## Example\n\n" + code_block(rule.bad) + "\nInstead:\n\n" + code_block(rule.good) + "\n";
  page += "## Fix\n\n" + rule.fix + "\n\n";
  if (!rule.fix_for.empty()) page += "In special cases the report has another text:\n\n";
  for (const auto& [name, fix] : rule.fix_for) page += "* " + fix + "\n";
  if (!rule.fix_for.empty()) page += "\n";
  page += "**Safety.** " + rule.fix_safety + "\n\n";
  page += "## What it never flags\n\n";
  for (const std::string& item : rule.never) page += "* " + with_capital(item) + ".\n";
  if (!rule.thresholds.empty()) {
    page += "\n## Thresholds\n\n";
    for (const auto& [name, value] : rule.thresholds) {
      const ThresholdName* known = find_threshold(name);
      page += "* `" + name + "`: " + threshold_text(value) + (known ? std::string(", ") + known->meaning : "") + "\n";
    }
  }
  page += "\n## To allow one place\n\n";
  page += "`// syncsniff: allow(" + rule.id + ") reason` on the line or the one before it, or `// NOLINT(syncsniff-" +
          rule.id + ")`. The reason is kept in the reports.\n";
  return page;
}

std::string render_rule_index(const std::map<std::string, Rule>& rules) {
  std::string page = "<!-- Made from rules/checks/ by syncsniff-docs: edit the files there. -->\n\n# Rules\n";
  for (const auto& [group, title] : kGroups) {
    std::string rows;
    for (const auto& [id, rule] : rules) {
      if (rule.group != group) continue;
      rows += "| [" + id + "](" + id + ".md) | " + std::to_string(rule.level) + " | " + rule.summary + " |\n";
    }
    if (rows.empty()) continue;
    page += std::string("\n## ") + title + "\n\n| rule | level | what it finds |\n|---|---|---|\n" + rows;
  }
  page += "\nLevels:";
  for (int level = 0; level < 3; ++level) {
    page += " **" + std::to_string(level) + "** " + kLevels[level] + (level < 2 ? ";" : ".");
  }
  return page + "\n";
}

std::map<std::string, std::string> render_rule_docs(const std::map<std::string, Rule>& rules) {
  std::map<std::string, std::string> pages = {{"README.md", render_rule_index(rules)}};
  for (const auto& [id, rule] : rules) pages[id + ".md"] = render_rule_page(rule);
  return pages;
}

}  // namespace syncsniff
