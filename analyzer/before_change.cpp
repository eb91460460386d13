#include "analyzer/before_change.h"

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/changed_names.h"
#include "rules/baseline.h"

namespace syncsniff {

namespace {

// The command with the unit's former name, since its includes are searched from that name's folder.
frontend::CompileCommand renamed_back(frontend::CompileCommand command, const std::string& old_path) {
  std::replace(command.arguments.begin(), command.arguments.end(), command.file, old_path);
  command.file = old_path;
  return command;
}

// Whether the old text could be read as well as the new one. Files that it needs may no longer be on disk: a header, or
// what generates one.
bool was_readable(const facts::UnitFacts& before, const facts::UnitFacts& now, bool is_new) {
  if (is_new) return true;
  return before.error_count <= now.error_count && (!before.fatal || now.fatal) && (!before.no_code || now.no_code);
}

}  // namespace

UnitsBefore read_units_before(const SourceTexts& texts, const std::map<std::string, std::string>& renamed,
                              const std::vector<frontend::CompileCommand>& commands,
                              const std::vector<facts::UnitFacts>& units, const ReadOptions& reading,
                              const ApiTable& apis) {
  std::set<std::string> changed;
  for (const auto& [file, text] : texts) changed.insert(file);
  const std::vector<bool> reads_changed = units_with(changed, units);
  std::vector<size_t> which;
  std::vector<frontend::CompileCommand> their_commands;
  for (size_t i = 0; i < units.size(); ++i) {
    if (!reads_changed[i]) continue;
    const auto old_path = renamed.find(units[i].file.str());
    their_commands.push_back(old_path == renamed.end() ? commands[i] : renamed_back(commands[i], old_path->second));
    which.push_back(i);
  }
  ReadOptions as_it_was = reading;
  as_it_was.texts = texts;
  as_it_was.of_interest.clear();
  as_it_was.verbose = false;
  KeptUnits of_before;
  if (reading.kept_units != nullptr) {
    as_it_was.kept_units = &of_before;
    // Units that mention a name from a changed line are read in both states.
    for (const auto& [file, text] : texts) as_it_was.other_state[file] = present_text(file, reading.texts);
  }
  std::vector<facts::UnitFacts> read = read_units(their_commands, as_it_was, apis);
  UnitsBefore before;
  for (size_t i = 0; i < read.size(); ++i) {
    const facts::UnitFacts& now = units[which[i]];
    const auto text = texts.find(now.file.str());
    if (!was_readable(read[i], now, text != texts.end() && text->second.empty())) continue;
    before.which.push_back(which[i]);
    before.units.push_back(std::move(read[i]));
  }
  return before;
}

void mark_old(Judgement& judgement) {
  Baseline were;
  if (judgement.before)
    for (const Finding& finding : *judgement.before) add_to_baseline(finding, were);
  for (Finding& finding : judgement.findings) finding.is_old = !judgement.before || in_baseline(finding, were);
}

}  // namespace syncsniff
