#include "tests/analyzer/checks/expectations.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace syncsniff::test {

namespace {

std::string place(const std::string& file, unsigned line) {
  return std::filesystem::path(file).filename().string() + ":" + std::to_string(line);
}

std::string base_and_line(const Location& l) { return place(l.file, l.line); }

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

std::vector<std::string> words(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) {
    word.erase(0, word.find_first_not_of(" \t"));
    word.erase(word.find_last_not_of(" \t\r") + 1);
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

// A key is `expect-` and what follows it up to the next one.
void read_comment(const std::string& file, unsigned line, const std::string& comment, Expectations& into) {
  static const std::regex kFinding(R"(^expect-(high|medium|low|info)(@[+-]\d+)?\s+(?:\{\{(.*?)\}\}\s*)?\[([a-z-]+)\])");
  static const std::regex kPath(R"(^expect-path(@[+-]\d+)?\s+\[([a-z-]+)\]\s+([^\s].*)$)");
  static const std::regex kCalls(R"(^expect-calls(@[+-]\d+)?\s+\[([a-z-]+)\]\s+([^\s].*)$)");
  static const std::regex kEvidence(R"(^expect-evidence(@[+-]\d+)?\s+\[([a-z-]+)\]\s+\{\{(.*?)\}\})");
  static const std::regex kCallee(R"(^expect-callee(@[+-]\d+)?\s+\[([a-z-]+)\]\s+\{\{(.*?)\}\})");
  const auto at = [&](const std::ssub_match& offset) {
    return offset.matched ? line + std::stoi(offset.str().substr(1)) : line;
  };
  std::smatch match;
  if (std::regex_search(comment, match, kFinding)) {
    into.findings.push_back({file, at(match[2]), line, severity_from_string(match[1]), match[4], match[3]});
  } else if (std::regex_search(comment, match, kPath)) {
    into.details.push_back({file, at(match[1]), line, match[2], words(match[3], ','), "", false, false});
  } else if (std::regex_search(comment, match, kCalls)) {
    into.details.push_back({file, at(match[1]), line, match[2], words(match[3], ','), "", true, false});
  } else if (std::regex_search(comment, match, kEvidence)) {
    into.details.push_back({file, at(match[1]), line, match[2], {}, match[3], false, false});
  } else if (std::regex_search(comment, match, kCallee)) {
    into.details.push_back({file, at(match[1]), line, match[2], {}, match[3], false, true});
  } else {
    into.errors.push_back(place(file, line) + ": no expectation: " + comment);
  }
}

std::string joined(const std::set<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += " " + part;
  return out.empty() ? " none" : out;
}

void compare_calls(const DetailExpectation& wanted, const std::vector<Finding>& found, std::vector<std::string>& out) {
  std::set<std::string> calls;
  for (const Finding& f : found) {
    if (f.rule != wanted.rule || f.location.line != wanted.line || !same_file(f.location.file, wanted.file)) continue;
    const std::string call = base_and_line(f.hot_call.line ? f.hot_call : f.location);
    if (!calls.insert(call).second) out.push_back(place(wanted.file, wanted.line) + ": two findings for the call at " + call);
  }
  const std::set<std::string> expected(wanted.path.begin(), wanted.path.end());
  if (calls != expected)
    out.push_back(place(wanted.file, wanted.line) + ": [" + wanted.rule + "] expected the hot calls" + joined(expected) +
                  ", there are" + joined(calls));
}

void compare_detail(const DetailExpectation& wanted, const std::vector<Finding>& found, std::vector<std::string>& out) {
  if (wanted.calls) return compare_calls(wanted, found, out);
  const std::string head = place(wanted.file, wanted.line) + ": [" + wanted.rule + "] ";
  const auto it = std::find_if(found.begin(), found.end(), [&](const Finding& f) {
    return f.rule == wanted.rule && f.location.line == wanted.line && same_file(f.location.file, wanted.file);
  });
  if (it == found.end()) {
    out.push_back(head + "no finding whose path or evidence could be read");
    return;
  }
  if (wanted.callee) {
    if (it->callee != wanted.evidence) out.push_back(head + "is about '" + it->callee + "', not '" + wanted.evidence + "'");
    return;
  }
  if (wanted.path.empty()) {
    std::string seen;
    for (const PathStep& step : it->evidence) {
      if (step.message.find(wanted.evidence) != std::string::npos) return;
      seen += "\n    " + base_and_line(step.location) + ": " + step.message;
    }
    out.push_back(head + "no evidence says '" + wanted.evidence + "'; there is:" + seen);
    return;
  }
  std::vector<std::string> path;
  for (const PathStep& step : it->path) path.push_back(base_and_line(step.location));
  if (path == wanted.path) return;
  std::string seen;
  for (const PathStep& step : it->path) seen += "\n    " + base_and_line(step.location) + ": " + step.message;
  out.push_back(head + "the path is another:" + seen);
}

bool differ_in_call(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.location.line == b.location.line && a.location.file == b.location.file &&
         base_and_line(a.hot_call) != base_and_line(b.hot_call);
}

}  // namespace

void read_expectations(const std::string& file, Expectations& into) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const size_t comment = line.find("//");
    if (comment == std::string::npos) continue;
    const std::string text = line.substr(comment);
    if (text.rfind("// flags: ", 0) == 0) {
      for (std::string& flag : words(text.substr(10), ' ')) into.flags.push_back(std::move(flag));
    } else if (text.rfind("// level: ", 0) == 0) {
      into.level = std::stoi(text.substr(10));
    } else if (text.rfind("// status: ", 0) == 0) {
      into.status = text.substr(11);
    } else if (text.rfind("// requires: ", 0) == 0) {
      for (std::string& header : words(text.substr(13), ' ')) into.requires_.push_back(std::move(header));
    }
    for (size_t at = text.find("expect-"); at != std::string::npos;) {
      const size_t next = text.find("expect-", at + 1);
      read_comment(file, number, text.substr(at, next == std::string::npos ? next : next - at), into);
      at = next;
    }
  }
}

std::vector<std::string> compare(const Expectations& expected, const std::vector<Finding>& found) {
  std::vector<std::string> out = expected.errors;
  std::vector<bool> used(found.size());
  for (const Expectation& wanted : expected.findings) {
    std::optional<size_t> near;  // right place and rule, something else wrong
    bool hit = false;
    for (size_t i = 0; i < found.size() && !hit; ++i) {
      const Finding& f = found[i];
      if (used[i] || f.rule != wanted.rule || f.location.line != wanted.line || !same_file(f.location.file, wanted.file)) continue;
      near = i;
      hit = f.severity == wanted.severity && f.message.find(wanted.text) != std::string::npos;
    }
    if (near) used[*near] = true;
    if (hit) continue;
    std::string line = place(wanted.file, wanted.line) + ": expected " + to_string(wanted.severity) + " [" + wanted.rule + "]";
    if (!wanted.text.empty()) line += " '" + wanted.text + "'";
    out.push_back(line + (near ? std::string(", but it is ") + to_string(found[*near].severity) + ": " + found[*near].message
                               : ", nothing was found at level " + std::to_string(expected.level)));
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (used[i] || (i > 0 && differ_in_call(found[i - 1], found[i]))) continue;
    out.push_back(base_and_line(found[i].location) + ": unexpected " + to_string(found[i].severity) + " [" + found[i].rule +
                  "] " + found[i].message);
  }
  for (const DetailExpectation& detail : expected.details) compare_detail(detail, found, out);
  return out;
}

}  // namespace syncsniff::test
