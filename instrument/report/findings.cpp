#include "instrument/report/findings.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "rules/api_facts.h"

namespace syncsniff::report {

namespace {

// Where the text stops being JSON, in words of the text; "": it is JSON.
std::string fault_of(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "is empty";
  try {
    [[maybe_unused]] const auto json = nlohmann::json::parse(text);
    return "";
  } catch (const nlohmann::json::parse_error& error) {
    if (error.byte > text.size()) return "is not whole: the JSON ends too early";
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(error.byte != 0 ? error.byte - 1 : 0);
    return "is not JSON: wrong at line " + std::to_string(1 + std::count(text.begin(), at, '\n'));
  }
}

// What is wrong with the file, as plainly as can be told; `reason`: what its reader said.
std::string plain_reason(const std::string& path, const std::string& reason) {
  if (std::error_code error; std::filesystem::is_directory(path, error)) return "is a directory";
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return errno != 0 ? std::strerror(errno) : "cannot be read";
  const std::string fault = fault_of({std::istreambuf_iterator<char>(file), {}});
  if (!fault.empty()) return fault;
  return reason.compare(0, path.size() + 2, path + ": ") == 0 ? reason.substr(path.size() + 2) : reason;
}

FindingsDocument read_document(const std::string& path) {
  try {
    return read_findings_json(path);
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + plain_reason(path, error.what()) +
                             "; write it with `syncsniff check --output-format=json -o FILE`");
  }
}

}  // namespace

StaticSide load_static_side(const std::vector<std::string>& findings_files) {
  StaticSide side;
  side.given = !findings_files.empty();
  std::set<std::tuple<std::string, std::string, std::string, unsigned, unsigned>> seen;
  for (const std::string& path : findings_files) {
    FindingsDocument document = read_document(path);
    for (Finding& finding : document.findings) {
      const Location& at = finding.location;
      if (seen.insert({finding.rule, finding.fingerprint, at.file, at.line, at.column}).second)
        side.findings.push_back(std::move(finding));
    }
    size_t unread = 0;
    for (const UnitStatus& unit : document.units) unread += unit.status == "failed" || unit.status == "partial";
    if (unread != 0)
      side.notes.push_back(path + ": " + std::to_string(unread) + " source units were not fully read by `check`");
  }
  try {
    side.rules = load_rules(data_directory() + "/rules/checks");
  } catch (const std::exception& error) {
    side.notes.push_back(std::string("rule texts and thresholds are missing: ") + error.what());
  }
  return side;
}

double threshold(const StaticSide& side, const std::string& rule, const std::string& name, double otherwise) {
  auto it = side.rules.find(rule);
  if (it == side.rules.end()) return otherwise;
  auto value = it->second.thresholds.find(name);
  return value == it->second.thresholds.end() ? otherwise : value->second;
}

}  // namespace syncsniff::report
