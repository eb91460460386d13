#include "analyzer/checks/finding_identities.h"

#include "analyzer/content_hash.h"

namespace syncsniff::checks {

namespace {

std::string hashed(const std::string& text) {
  static const char* digits = "0123456789abcdef";
  uint64_t value = content_hash(text);
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) out[i] = digits[value & 15];
  return out;
}

std::pair<std::string, size_t> split_number(const std::string& call) {
  if (call.empty()) return {"", 0};
  const size_t bar = call.rfind('|');
  return {call.substr(0, bar), std::stoul(call.substr(bar + 1))};
}

}  // namespace

void FindingIdentities::add(Finding& finding, const std::string& call, const std::vector<std::string>& calls) {
  auto& places = places_[finding.fingerprint];
  const size_t index =
      places.emplace(std::pair{finding.location.file, finding.location.line}, places.size()).first->second;
  const std::string place = finding.fingerprint + "|" + std::to_string(index);
  const std::string whole = call.empty() ? place : place + "|by|" + call;
  const size_t again = alike_[whole]++;
  const auto [text, number] = split_number(call);
  lines_.push_back({again != 0 ? whole + "|" + std::to_string(again) : whole,
                    {finding.location.column},
                    finding.fingerprint + "|by|" + text,
                    {index, number, again}});
  finding.fingerprint = hashed(lines_.back().identity);
  if (!calls.empty()) finding.call_fingerprints.push_back(hashed(place));
  for (const std::string& other : calls) finding.call_fingerprints.push_back(hashed(place + "|by|" + other));
}

// `a.item() + b.item()` is one finding, but its fingerprint differs from that of `a.item()`, so that a call added to an
// old line is new. Removing a call makes nothing new: a baseline that contains two calls of the line also contains one.
void FindingIdentities::count_calls(const OnOneLine& line, Finding& finding) {
  if (line.columns.size() < 2) return;
  if (finding.call_fingerprints.empty()) finding.call_fingerprints.push_back(finding.fingerprint);
  for (size_t calls = 2; calls <= line.columns.size(); ++calls) {
    finding.call_fingerprints.push_back(finding.fingerprint);
    finding.fingerprint = hashed(line.identity + "|calls|" + std::to_string(calls));
  }
}

void FindingIdentities::number_copies(std::vector<Finding>& findings) const {
  std::map<std::pair<std::string, size_t>, std::map<std::array<size_t, 3>, size_t>> copies;
  for (size_t i = 0; i < lines_.size(); ++i)
    copies[{lines_[i].same_text, lines_[i].columns.size()}].emplace(lines_[i].numbers, i);
  for (const auto& [text, by_number] : copies) {
    size_t copy = 0;
    const std::string same_text = hashed(text.first + "|calls|" + std::to_string(text.second));
    for (const auto& [numbers, i] : by_number) {
      findings[i].same_text = same_text;
      findings[i].copy = copy++;
    }
  }
}

void FindingIdentities::finish(std::vector<Finding>& findings) const {
  for (size_t i = 0; i < findings.size(); ++i) count_calls(lines_[i], findings[i]);
  number_copies(findings);
}

}  // namespace syncsniff::checks
