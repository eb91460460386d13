#include "analyzer/unit_preambles.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "analyzer/facts/include_weight.h"
#include "analyzer/facts/leading_includes.h"
#include "analyzer/isolation/child.h"

namespace syncsniff {
namespace {

// By the clock. Making LibTorch's preamble took 14 s of processor time while other programs shared the caches.
constexpr std::chrono::seconds kPatience{60};

// Calls finish() however the making ends, since other workers wait for it.
struct Finish {
  isolation::Claims& makers;
  const size_t group;
  ~Finish() { makers.finish(group); }
};

}  // namespace

void UnitPreambles::add(size_t unit, const frontend::UnitCommand& command, const std::string& root, bool read_before) {
  if (directory_.empty()) return;
  const std::vector<std::string> headers = facts::leading_includes(command, root, texts_);
  if (headers.empty()) return;
  const auto [heavy, fresh] = heavy_.try_emplace(facts::preamble_key(command, root, headers));
  if (fresh) heavy->second = facts::heavy_part(headers, command);
  if (heavy->second.empty()) return;
  Group& group = groups_[facts::preamble_key(command, root, heavy->second)];
  group.headers = heavy->second;
  group.units.push_back(unit);
  group.read_before |= read_before;
  group_of_[unit] = &group;
}

// Making a preamble of LibTorch's headers takes 1.6 times as long as parsing them. So units that are read once, all at
// the same time, finish sooner without one; if each worker has several to read, or a unit is edited again and again,
// the preamble pays.
std::vector<size_t> UnitPreambles::order(const std::vector<size_t>& units, unsigned jobs) {
  if (groups_.empty()) return units;
  size_t count = 0;
  std::map<size_t, int> turn;
  for (auto& [key, group] : groups_) {
    group.number = count++;
    group.worth_making = group.read_before || group.units.size() > std::max(1u, jobs);
    if (group.worth_making)
      for (const size_t unit : group.units) turn[unit] = unit == group.units.front() ? -1 : 1;
  }
  makers_ = std::make_unique<isolation::Claims>(count);
  store_ = std::make_unique<facts::PreambleStore>(directory_, texts_, apis_);
  std::vector<size_t> out;
  for (const int now : {-1, 0, 1})
    std::copy_if(units.begin(), units.end(), std::back_inserter(out), [&](size_t unit) { return turn[unit] == now; });
  return out;
}

const facts::KeptPreamble* UnitPreambles::of(size_t unit, const frontend::UnitCommand& command,
                                             const std::string& root) {
  const auto known = group_of_.find(unit);
  if (known == group_of_.end()) return nullptr;
  const Group& group = *known->second;
  const facts::KeptPreamble* kept = store_->find(command, root, group.headers);
  if (!kept && group.worth_making) {
    if (makers_->take(group.number)) {
      const Finish finish{*makers_, group.number};
      kept = make(group.headers, command, root);
    } else {
      makers_->wait(group.number, kPatience);
      kept = store_->find(command, root, group.headers);
    }
  }
  return kept && kept->preamble().usable ? kept : nullptr;
}

// Runs in a child process: if Clang crashes or takes too long, the unit itself can still be read.
const facts::KeptPreamble* UnitPreambles::make(const std::vector<std::string>& headers,
                                               const frontend::UnitCommand& command, const std::string& root) {
  if (!isolation::run_in_child([&] { store_->make(command, root, headers); }, kPatience))
    store_->give_up(command, root, headers);
  return store_->find(command, root, headers);
}

}  // namespace syncsniff
