#include "analyzer/kept_units.h"

#include <algorithm>
#include <utility>

namespace syncsniff {
namespace {

constexpr size_t kMostKept = 16, kLeastKept = 4;

std::unordered_set<uint64_t> functions_of_changed_files(const facts::StaleUnit& stale,
                                                        const std::unordered_set<uint64_t>& read) {
  std::unordered_set<uint64_t> functions;
  for (const facts::Function& function : stale.unit.functions) {
    const uint64_t hash = function.usr.hash();
    if (stale.changed.count(function.place.file.str()) != 0 && read.count(hash) == 0) functions.insert(hash);
  }
  return functions;
}

}  // namespace

// Greedy: picks again and again the unit with the most functions that no picked one has; of equal units the first, so
// that the same units are picked for the state before a change.
std::vector<size_t> units_to_read(const std::vector<facts::StaleUnit>& stale, const UnitsRead& read,
                                  size_t& functions_left) {
  std::vector<std::unordered_set<uint64_t>> left;
  left.reserve(stale.size());
  for (const facts::StaleUnit& unit : stale) left.push_back(functions_of_changed_files(unit, read.functions));
  std::vector<size_t> chosen;
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  while (chosen.size() < kMostKept) {
    const auto most = std::max_element(left.begin(), left.end(), fewer);
    if (most == left.end() || most->empty()) break;
    chosen.push_back(static_cast<size_t>(most - left.begin()));
    const std::unordered_set<uint64_t> covered = std::exchange(*most, {});
    for (auto& others : left) std::erase_if(others, [&](uint64_t hash) { return covered.count(hash) != 0; });
  }
  std::unordered_set<uint64_t> uncovered;
  for (const auto& functions : left) uncovered.insert(functions.begin(), functions.end());
  functions_left = uncovered.size();
  for (size_t i = 0; i < stale.size() && chosen.size() + read.with_changed_file < kLeastKept; ++i)
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
  return chosen;
}

facts::UnitFacts without_changed_files(facts::StaleUnit stale) {
  facts::UnitFacts unit = std::move(stale.unit);
  const auto has_changed = [&](const facts::Place& place) { return stale.changed.count(place.file.str()) != 0; };
  constexpr int kGone = -2;
  std::vector<int> numbers;  // new indices of functions, after those that have changed are removed
  int kept = 0;
  for (const facts::Function& function : unit.functions)
    numbers.push_back(has_changed(function.place) ? kGone : kept++);
  for (facts::Flow& flow : unit.flows)
    if (flow.function >= 0) flow.function = numbers[static_cast<size_t>(flow.function)];
  std::erase_if(unit.flows, [&](const facts::Flow& flow) { return flow.function == kGone || has_changed(flow.place); });
  std::erase_if(unit.functions, [&](const facts::Function& function) { return has_changed(function.place); });
  return unit;
}

}  // namespace syncsniff
