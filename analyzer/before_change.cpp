#include "analyzer/before_change.h"

#include <set>
#include <string>

#include "rules/baseline.h"

namespace syncsniff {

UnitsBefore read_units_before(const SourceTexts& texts, const std::vector<frontend::CompileCommand>& commands,
                              const std::vector<facts::UnitFacts>& units, const ReadOptions& reading,
                              const ApiTable& apis) {
  std::set<std::string> changed;
  for (const auto& [file, text] : texts) changed.insert(file);
  const std::vector<bool> reads_changed = units_with(changed, units);
  UnitsBefore before;
  std::vector<frontend::CompileCommand> their_commands;
  for (size_t i = 0; i < units.size(); ++i) {
    if (!reads_changed[i]) continue;
    their_commands.push_back(commands[i]);
    before.which.push_back(i);
  }
  ReadOptions as_it_was = reading;
  as_it_was.texts = texts;
  as_it_was.of_interest.clear();
  as_it_was.verbose = false;
  before.units = read_units(their_commands, as_it_was, apis);
  for (size_t i = 0; i < before.which.size(); ++i)
    before.readable &= !before.units[i].no_code || units[before.which[i]].no_code;
  return before;
}

void mark_old(Judgement& judgement) {
  Baseline were;
  if (judgement.before)
    for (const Finding& finding : *judgement.before) add_to_baseline(finding, were);
  for (Finding& finding : judgement.findings) finding.is_old = !judgement.before || in_baseline(finding, were);
}

}  // namespace syncsniff
