#include "cli/rules_text.h"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "rules/api_facts.h"
#include "rules/rule.h"
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

}  // namespace

void print_rules(std::ostream& out) {
  const auto all = rules();
  size_t width = 0;
  for (const auto& [id, rule] : all) width = std::max(width, id.size());
  for (const auto& [id, rule] : all)
    out << id << std::string(width - id.size(), ' ') << "  " << rule.level << "  " << printable(rule.summary) << '\n';
}

void print_rule(const std::string& id, std::ostream& out) {
  const auto all = rules();
  auto it = all.find(id);
  if (it == all.end()) throw std::runtime_error(id + ": no such rule; `syncsniff rules` lists them");
  const Rule& rule = it->second;
  out << rule.id << "  (" << rule.group << ", level " << rule.level << ")\n";
  paragraph(rule.summary, out);
  section("Why", rule.why, out);
  section("Fix", rule.fix, out);
  section("Safety of the fix", rule.fix_safety, out);
  if (!rule.never.empty()) out << "\nNever flagged\n";
  for (const std::string& line : rule.never) paragraph("- " + line, out);
  code("Bad", rule.bad, out);
  code("Good", rule.good, out);
  out << "\nSilence one line with  // syncsniff: allow(" << rule.id << ") reason\n";
}

}  // namespace syncsniff::cli
