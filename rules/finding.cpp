#include "rules/finding.h"

#include <stdexcept>
#include <utility>

namespace syncsniff {
namespace {

constexpr std::pair<const char*, Severity> kSeverities[] = {
    {"info", Severity::kInfo}, {"low", Severity::kLow}, {"medium", Severity::kMedium}, {"high", Severity::kHigh}};
constexpr std::pair<const char*, FixTier> kTiers[] = {{"none", FixTier::kNone},
                                                      {"safe", FixTier::kSafe},
                                                      {"proved", FixTier::kProved},
                                                      {"suggested", FixTier::kSuggested}};

template <typename Words, typename Enum>
const char* word_for(const Words& words, Enum value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return "?";
}

template <typename Words>
auto meaning_of(const Words& words, const std::string& text, const char* what) {
  for (const auto& [word, meaning] : words) {
    if (text == word) return meaning;
  }
  throw std::invalid_argument("'" + text + "' is not a " + what);
}

}  // namespace

const char* to_string(Severity severity) { return word_for(kSeverities, severity); }
const char* to_string(FixTier tier) { return word_for(kTiers, tier); }
Severity severity_from_string(const std::string& text) { return meaning_of(kSeverities, text, "severity"); }
FixTier fix_tier_from_string(const std::string& text) { return meaning_of(kTiers, text, "fix tier"); }

}  // namespace syncsniff
