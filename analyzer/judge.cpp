#include "analyzer/judge.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "analyzer/checks/check.h"
#include "analyzer/checks/variants.h"
#include "analyzer/finding_archive.h"
#include "analyzer/program/program.h"

namespace syncsniff {
namespace {

using facts::UnitFacts;

std::string link_and_check(std::vector<UnitFacts>& units, const ApiTable& apis,
                           const std::map<std::string, Rule>& rules) {
  checks::Reporter reporter(rules);
  for (const auto& program : program::link_programs(units, apis))
    for (const checks::CheckEntry& check : checks::all_checks()) check.run(*program, reporter);
  std::vector<Finding> findings = reporter.finish();
  checks::leave_variants_to_a_person(units, findings);
  facts::ByteWriter writer;
  writer(findings);
  return writer.take();
}

// How much there is to link and to check of a unit.
size_t weight(const UnitFacts& unit) {
  size_t weight = unit.flows.size();
  for (const facts::Function& f : unit.functions) weight += 1 + f.events.size() + f.regions.size();
  return weight;
}

std::vector<size_t> heaviest_first(const std::vector<UnitFacts>& units) {
  std::vector<size_t> order, weights;
  for (const UnitFacts& unit : units) weights.push_back(weight(unit));
  order.resize(units.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  while (!order.empty() && weights[order.back()] == 0) order.pop_back();
  return order;
}

void leave_out(UnitFacts& unit, const std::string& why) {
  UnitFacts empty;
  empty.file = unit.file;
  empty.errors = {"left out, since the program with it " + why + " when it was linked and checked"};
  empty.error_count = 1;
  empty.fatal = true;
  unit = std::move(empty);
}

}  // namespace

std::vector<Finding> judge(std::vector<UnitFacts>& units, const ApiTable& apis,
                           const std::map<std::string, Rule>& rules, const isolation::Limits& limits) {
  const std::vector<size_t> order = heaviest_first(units);
  size_t left_out = 0;
  // One unit, three, seven: where nothing helps, a program of a thousand units is tried ten times.
  for (size_t more = 1;; more *= 2) {
    isolation::Outcome outcome;
    isolation::run_isolated(
        1, 1, limits, [&](size_t) { return link_and_check(units, apis, rules); }, [](size_t) {},
        [&](size_t, isolation::Outcome result) { outcome = std::move(result); });
    std::vector<Finding> findings;
    facts::ByteReader reader(outcome.answer);
    if (outcome.failure.empty() && (reader(findings), reader.ok() && reader.at_end())) return findings;
    const std::string why = outcome.failure.empty() ? "crashed" : outcome.failure;
    if (left_out == order.size()) throw std::runtime_error("the checks " + why + " on a program without any unit");
    const std::string took = why.rfind("over ", 0) == 0 ? "took " + why : why;
    for (size_t i = 0; i < more && left_out < order.size(); ++i) leave_out(units[order[left_out++]], took);
  }
}

}  // namespace syncsniff
