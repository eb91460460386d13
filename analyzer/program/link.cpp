#include "analyzer/program/link.h"

#include <algorithm>

#include "analyzer/program/grouping.h"
#include "analyzer/program/keyed_calls.h"
#include "analyzer/program/known_receivers.h"
#include "analyzer/program/launch_helpers.h"
#include "analyzer/program/questions.h"

namespace syncsniff::program {

namespace {

using facts::UnitFacts;

bool same_runs(const Function& a, const Function& b) {
  return std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                    [](const Event& x, const Event& y) {
                      return x.statement.run == y.statement.run && x.statement.position == y.statement.position;
                    });
}

// The statements of a header's function may form other runs of plain code in one unit than in another, which has other
// macros or other functions of the same name. Then all copies lose their runs. So do copies in a unit with errors,
// since Clang drops statements there.
void agree_on_runs(std::vector<UnitFacts>& units) {
  struct Copies {
    std::vector<Function*> all;
    bool broken = false;  // one copy is in a unit with errors
  };
  facts::TextMap<Copies> by_usr;
  for (UnitFacts& unit : units) {
    for (Function& f : unit.functions) {
      Copies& copies = by_usr[f.usr];
      copies.all.push_back(&f);
      copies.broken |= unit.error_count != 0;
    }
  }
  for (auto& [usr, copies] : by_usr) {
    const Function& first = *copies.all.front();
    if (!copies.broken &&
        std::all_of(copies.all.begin(), copies.all.end(), [&](const Function* f) { return same_runs(*f, first); }))
      continue;
    for (Function* f : copies.all) {
      // Written only if it changes, since the pages are shared with the parent process and a write copies them.
      for (Event& event : f->events)
        if (event.statement.run != 0) event.statement.run = 0;
    }
  }
}

}  // namespace

std::vector<Parts> find_programs(std::vector<UnitFacts>& units, const ApiTable& apis,
                                 const std::vector<bool>& of_interest) {
  answer_questions(units);
  agree_on_runs(units);
  std::vector<facts::UnitOutline> outlines;
  outlines.reserve(units.size());
  for (const UnitFacts& unit : units) outlines.push_back(facts::outline_of(unit));
  std::vector<Parts> programs;
  for (const UnitGroup& group : group_units(outlines)) {
    const bool some_is = of_interest.empty() || is_of_interest(group, of_interest);
    programs.push_back({{}, group.left_over, group.beside_cuda, group.beside, some_is});
    std::vector<UnitFacts*> together;
    for (const size_t u : group.units) together.push_back(&units[u]);
    if (some_is) {
      name_launched_kernels(together, apis);
      part_by_receiver(together);
      name_keyed_callees(together, apis);
    }
    programs.back().units.assign(together.begin(), together.end());
  }
  return programs;
}

std::unique_ptr<Program> link(const Parts& parts, const ApiTable& apis, const Words& words,
                              const std::vector<std::unique_ptr<Program>>& before) {
  const bool fed = std::any_of(parts.beside.begin(), parts.beside.end(),
                               [&](size_t part) { return before[part]->hotness().main_feeds(); });
  return std::make_unique<Program>(parts.units, apis, words, Program::LeftOver{fed, parts.beside_cuda});
}

std::vector<std::unique_ptr<Program>> link_programs(std::vector<UnitFacts>& units, const ApiTable& apis,
                                                    const Words& words) {
  std::vector<std::unique_ptr<Program>> programs;
  for (const Parts& parts : find_programs(units, apis)) programs.push_back(link(parts, apis, words, programs));
  return programs;
}

}  // namespace syncsniff::program
