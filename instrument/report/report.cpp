#include "instrument/report/report.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "instrument/report/loaded_run.h"
#include "instrument/report/path_match.h"
#include "instrument/report/ranks.h"
#include "instrument/report/units.h"

namespace syncsniff::report {
namespace {

constexpr uint64_t kWorthTellingOfStorage = 100;  // a note is made from a hundredth of the run on

void note_the_end(const reader::Trace& trace, std::vector<std::string>& notes) {
  const auto reason = static_cast<trace::StopReason>(trace.header.stop_reason);
  const bool stopped = reason == trace::StopReason::kDiskFull || reason == trace::StopReason::kSizeLimit;
  if (stopped)
    notes.push_back(std::string(reason == trace::StopReason::kSizeLimit
                                    ? "the trace reached its size limit (SYNCSNIFF_TRACE_LIMIT_MB, 1024 unless set)"
                                    : "the disk was full or the file size limit (ulimit -f) was reached") +
                    ": recording stopped before the program ended, and the figures leave out what came after");
  else if (trace.ended_early())
    notes.push_back("the run ended early (killed, crashed, or left by _exit): the figures end with its last record");
  else if (trace.end_unknown())
    notes.push_back("the program left by _exit or exec, which record no end: the figures end with its last record");
  if (trace.header.dropped_records != 0 &&
      !stopped)  // records that were not written because recording had stopped do not count as dropped
    notes.push_back(std::to_string(trace.header.dropped_records) + " records were dropped: the figures are too low");
  if (trace.header.nested_waits + trace.header.nested_work != 0)
    notes.push_back(
        std::to_string(trace.header.nested_waits) + " waits and " + std::to_string(trace.header.nested_work) +
        " launches and copies were made by signal handlers inside another CUDA call: they are only counted, "
        "not timed");
  const uint64_t end_ns = trace.header.end_monotonic_ns, start_ns = trace.header.start_monotonic_ns;
  if (end_ns > start_ns && trace.header.storage_ns > (end_ns - start_ns) / kWorthTellingOfStorage)
    notes.push_back("recording blocked the program for " + format_time(trace.header.storage_ns) +
                    " while it waited for the disk: write the trace (-o) to a faster one, or to memory (/dev/shm)");
  if (trace.unknown_records != 0)
    notes.push_back(std::to_string(trace.unknown_records) + " records are of kinds that this syncsniff does not know");
}

// Adds a note that says why the report has no GPU activity.
void note_missing_timeline(const reader::Trace& trace, const timeline::Analysis& analysis,
                           std::vector<std::string>& notes) {
  const bool wants_windows = trace.header.mode() == trace::TimelineMode::kWindows;
  const bool is_explained = std::any_of(trace.notes.begin(), trace.notes.end(), [](const std::string& note) {
    return note.find("GPU timeline") != std::string::npos;
  });
  if (!wants_windows || !analysis.devices.empty()) return;
  const size_t windows = trace.windows.size();
  const std::string number = std::to_string(windows) + " window" + (windows == 1 ? "" : "s") + " of GPU activity";
  if (!analysis.outside_steps.empty()) {
    notes.push_back("no step that is measured lies in the " + number +
                    ": the GPU's figures are of other parts of the run; --timeline=full records all of it");
    return;
  }
  if (is_explained) return;
  notes.push_back((windows == 0 ? "the run launched too little, or was too short, for a window of GPU activity"
                                : "no GPU work lies in the " + number) +
                  ": how busy the GPU was is not known; " +
                  (windows == 0 ? "a larger --budget opens one sooner, " : "") + "--timeline=full records all of it");
}

// If the process has the GPU to itself, a launch begins 5 to 20 us after the call (H200, PCIe 5); if another process
// uses it, a launch waits for the end of that process's time slice.
void note_slow_starts(const std::vector<timeline::DeviceTimeline>& devices, std::vector<std::string>& notes) {
  constexpr uint64_t kSlowStartNs = 60'000, kFewStarts = 20;
  for (const timeline::DeviceTimeline& device : devices)
    if (device.starts >= kFewStarts && device.median_start_ns >= kSlowStartNs)
      notes.push_back("a launch that finds GPU " + std::to_string(device.device) + " idle begins only " +
                      format_time(device.median_start_ns) +
                      " later (median; 5 to 20 us is usual): another process may be using this GPU (nvidia-smi lists "
                      "them), and it makes the times here longer");
}

void note_unused_patterns(const std::vector<reader::CodePattern>& patterns, std::vector<std::string>& notes) {
  for (const reader::CodePattern& pattern : patterns)
    if (pattern.paths == 0) notes.push_back(option_text(pattern) + " matches no file or object of this run");
}

// If steps are not certain, module loads are not ranked (see Judge::paid_once), so a note lists them.
void note_loads(const timeline::Analysis& analysis, std::vector<std::string>& notes) {
  uint64_t ns = 0;
  for (const timeline::Site& site : analysis.sites)
    if (site.call_class == trace::CallClass::kModuleLoad) ns += site.run.blocked_ns;
  if (ns != 0 && !analysis.steps_are_sure())
    notes.push_back("loading GPU code blocked the host for " + format_time(ns) + ": paid once, so it is not ranked");
}

// If the findings are of another program, all would count as not executed; a note says so.
void note_foreign_findings(const reader::Places& places, const timeline::Analysis& analysis, const StaticSide& side,
                           std::vector<std::string>& notes) {
  if (side.findings.empty()) return;
  std::set<std::string> named;
  for (const Finding& finding : side.findings) named.insert(last_component(finding.location.file));
  bool any_line = false;
  for (const timeline::Site& site : analysis.sites) {
    any_line |= site.place.line != 0;
    for (const uint32_t stack : site.stacks)
      for (const reader::Frame& frame : places.stack(stack).frames)
        if (named.count(last_component(frame.file)) != 0) return;
  }
  if (any_line)
    notes.push_back("no call of this run comes from one of the " + std::to_string(named.size()) +
                    " files that the findings name: they may be of another program");
}

}  // namespace

RunReport make_report(const reader::Trace& trace, const reader::Places& places,
                      const std::vector<std::string>& symbol_hints, const StaticSide& side,
                      const timeline::StepChoice& choice) {
  RunReport report;
  report.trace = &trace;
  report.analysis = timeline::analyse(trace, places, choice);
  report.verdicts = judge(trace, places, report.analysis, side);
  note_the_end(trace, report.notes);
  const auto& sites = report.analysis.sites;
  report.code_patterns = places.code_patterns();
  note_unused_patterns(report.code_patterns, report.notes);
  const bool lines = std::any_of(sites.begin(), sites.end(), [](const auto& site) { return site.place.line != 0; });
  if (!lines && !sites.empty() && symbol_hints.empty())
    report.notes.push_back("no line information in the program: compile it with -g to see lines instead of addresses");
  report.notes.insert(report.notes.end(), symbol_hints.begin(), symbol_hints.end());
  note_missing_timeline(trace, report.analysis, report.notes);
  if (!trace.gpu_work.empty() && trace.clock_pairs.empty())
    report.notes.push_back("the GPU's clock was never matched with the host's: GPU idle causes may be wrong");
  note_slow_starts(report.analysis.devices, report.notes);
  note_foreign_findings(places, report.analysis, side, report.notes);
  report.notes.insert(report.notes.end(), trace.notes.begin(), trace.notes.end());
  report.notes.insert(report.notes.end(), side.notes.begin(), side.notes.end());
  const timeline::Replay& replay = report.analysis.replay;
  if (!replay.usable() && replay.recorded_ns > 0)
    report.notes.push_back("the replay misses the recorded time by " +
                           std::to_string(std::llround(100 * replay.error())) +
                           " %: what a fix saves is given as an upper bound");
  note_loads(report.analysis, report.notes);
  if (report.analysis.steps.found() && !report.analysis.steps_are_sure())
    report.notes.push_back(
        "the steps are a guess (confidence low): nothing is predicted, and what a fix saves is an upper "
        "bound; an NVTX range around each step makes them sure");
  if (report.verdicts.silenced != 0)
    report.notes.push_back(std::to_string(report.verdicts.silenced) + " call paths are silenced by allow comments");
  const size_t minor = report.verdicts.minor;
  if (minor != 0)
    report.notes.push_back(std::to_string(minor) +
                           (minor == 1 ? " wait that no finding names costs" : " waits that no finding names cost") +
                           " too little to list");
  return report;
}

void embed_symbols(const std::vector<std::string>& traces, const reader::CodeBorder& border) {
  for (const std::string& path : traces) {
    try {
      const reader::Trace trace = reader::read_trace(path);
      reader::ProcessSymbolizer symbolizer;
      reader::append_symbols(path, reader::Places(trace, symbolizer, border));
    } catch (const reader::TraceError&) {
    }
  }
}

}  // namespace syncsniff::report
