#include "instrument/compare/comparison_notes.h"

#include <set>

#include "instrument/report/path_match.h"
#include "instrument/report/units.h"

namespace syncsniff::compare {
namespace {

std::set<std::string> files_of(const RunFigures& run) {
  std::set<std::string> files;
  auto add = [&](const LineId& line) {
    if (!line.place.file.empty()) files.insert(report::last_component(line.place.file));
  };
  for (const CallLine& line : run.of_second.lines) add(line.line);
  for (const DeviceFigures& device : run.devices)
    for (const IdleLine& line : device.lines) add(line.line);
  return files;
}

void note_side(const char* side, const RunFigures& run, std::vector<std::string>& notes) {
  if (run.ended_early)
    notes.push_back(std::string(side) + " ended early (killed, crashed): its figures end with its last record");
  if (run.dropped_records != 0)
    notes.push_back(std::string(side) + " dropped " + std::to_string(run.dropped_records) +
                    " records: its figures are too low");
  if (run.steps.found() && run.steps.confidence == "low")
    notes.push_back(std::string(side) + "'s steps are a guess (confidence low): define a step with --step");
  if (run.devices.empty())
    notes.push_back(std::string(side) + " has no windows of GPU activity: how busy the GPU was is not compared");
}

void note_missing_steps(const Comparison& change, std::vector<std::string>& notes) {
  if (change.by_step) return;
  const bool a = change.a.steps.found(), b = change.b.steps.found();
  const std::string side = !a && !b ? "neither recording" : !a ? "A" : "B";
  const RunFigures& one = !a ? change.a : change.b;
  notes.push_back("no steps were found in " + side + " (" + one.steps.how +
                  "): figures are per second of the whole run, start-up included, and step times are not compared; "
                  "define a step with --step");
}

// If one recording has half as many steps of twice the length, the program is not slower but its steps were found
// differently: a note says so.
void note_step_definitions(const Comparison& change, std::vector<std::string>& notes) {
  if (!change.by_step) return;
  const StepFigures &a = change.a.steps, &b = change.b.steps;
  const bool same_command = change.a.command == change.b.command;
  if (same_command && !timeline::same_count(a.seen, b.seen))
    notes.push_back("A has " + report::format_count(static_cast<double>(a.seen)) + " steps (" + a.how + "), B " +
                    report::format_count(static_cast<double>(b.seen)) + " (" + b.how +
                    "), with the same command: if a step is not the same thing in both, define it with --step");
  if (!change.step.known)
    notes.push_back(a.times_ns.empty() || b.times_ns.empty()
                        ? "only the mean step time of one side is known, so there is no interval"
                        : "fewer than " + std::to_string(kFewestSteps) + " steps on one side, so there is no interval");
}

void note_unused_patterns(const Comparison& change, std::vector<std::string>& notes) {
  for (size_t i = 0; i < change.a.code_patterns.size(); ++i)
    if (change.a.code_patterns[i].paths + change.b.code_patterns[i].paths == 0)
      notes.push_back(option_text(change.a.code_patterns[i]) + " matches no file or object of either recording");
}

}  // namespace

std::string command_text(const RunFigures& run) {
  std::string text;
  for (const std::string& word : run.command) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool is_same_program(const RunFigures& a, const RunFigures& b) {
  const std::set<std::string> left = files_of(a), right = files_of(b);
  if (left.empty() || right.empty())
    return a.command.empty() || b.command.empty() ||
           report::last_component(a.command[0]) == report::last_component(b.command[0]);
  for (const std::string& file : left)
    if (right.count(file) != 0) return true;
  return false;
}

std::vector<std::string> notes_of(const Comparison& change) {
  std::vector<std::string> notes;
  note_missing_steps(change, notes);
  note_step_definitions(change, notes);
  note_unused_patterns(change, notes);
  note_side("A", change.a, notes);
  note_side("B", change.b, notes);
  if (change.a.command != change.b.command)
    notes.push_back("the command lines differ: some of the difference may come from that");
  if (change.a.rank != change.b.rank) notes.push_back("the recordings are of different ranks of a job");
  if (change.a.devices.size() != change.b.devices.size() && !change.a.devices.empty() && !change.b.devices.empty())
    notes.push_back("A used " + std::to_string(change.a.devices.size()) + " GPUs, B " +
                    std::to_string(change.b.devices.size()) + ": only those that both used are compared");
  return notes;
}

}  // namespace syncsniff::compare
