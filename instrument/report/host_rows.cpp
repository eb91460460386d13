#include "instrument/report/host_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "instrument/report/spelling.h"
#include "instrument/report/units.h"

namespace syncsniff::report {
namespace {

using timeline::DeviceTimeline;
using timeline::Gains;
using timeline::HostDoing;
using timeline::HostLine;
using timeline::Remedy;
using timeline::StepShare;

constexpr double kMostlyAfterWait = 0.5;  // least share of a row's time

double rounded(double ns) { return std::floor(ns + 0.5); }

// The verb for what other threads do.
std::string verb_of(const timeline::OtherWork& work) {
  const bool is_one = work.threads == 1;
  switch (work.state) {
    case trace::HostState::kAsleep:
      return is_one ? "sleeps" : "sleep";
    case trace::HostState::kRead:
    case trace::HostState::kPoll:
      return is_one ? "reads" : "read";
    case trace::HostState::kProcess:
      return is_one ? "waits for a child" : "wait for children";
    default:
      return is_one ? "works" : "work";
  }
}

std::string line_text(const HostLine& line) {
  if (line.doing == HostDoing::kStarting) {
    const std::string part = line.part == reader::StepPart::kOther ? "" : std::string(": ") + to_string(line.part);
    return "launch latency until the idle GPU starts" + part;
  }
  return where_text(line.place, line.before, line.api.empty() ? "" : user_spelling(line.api), line.thread);
}

// The number of launches, how long each takes on the host and on the GPU, and what helps.
std::string launches_text(const HostLine& line, const StepShare& share, double saves) {
  if (line.launches == 0) return "";
  const double each = share.of_steps ? static_cast<double>(line.launches) / share.steps : 0;
  const Remedy remedy = timeline::remedy_of(line);
  const bool copies = remedy == Remedy::kOneCopy;
  const std::string number = format_count(each), one = copies ? " copy" : " launch",
                    several = copies ? " copies" : " launches";
  std::string text = (share.of_steps ? number + (number == "1" ? one : several) + " per step"
                                     : format_count(static_cast<double>(line.launches)) + several + " in the windows");
  if (line.spaced != 0) text += ", one every " + format_time(line.spacing_ns / line.spaced);
  if (line.matched != 0) text += ", each kernel takes " + format_time(line.kernel_ns / line.matched);
  if (share.of_steps && rounded(saves) == 0) return text;  // merging launches would gain nothing
  text += remedy == Remedy::kOptimizer   ? ": foreach=True or fused=True updates all parameters at once"
          : remedy == Remedy::kFused     ? ": fused=True updates all parameters at once"
          : remedy == Remedy::kOneLaunch ? ": one launch over all of them (a many-tensor kernel)"
          : remedy == Remedy::kOneCopy   ? ": one copy of all of them"
                                         : ": a CUDA graph, torch.compile or a larger batch";
  return share.of_steps && remedy == Remedy::kGraph ? text + " saves at most that" : text;
}

// "feed.cpp:41 Sampler::fill": without arguments and anonymous namespaces.
std::string function_at(const reader::Place& place) {
  static const std::string kNameless = "(anonymous namespace)::";
  reader::Place shorter = place;
  std::string& name = shorter.function;
  for (size_t at = name.find(kNameless); at != name.npos; at = name.find(kNameless)) name.erase(at, kNameless.size());
  const std::string call = "operator()";  // of a lambda
  const size_t arguments_from = name.find(call) != name.npos ? name.find(call) + call.size() : 0;
  name.erase(std::min(name.find('(', arguments_from), name.size()));
  return place_and_function(shorter);
}

// "graph.py:36 33 %, graph.py:32 31 %, rows.py:12 of_row 15 %"
std::string lines_text(const HostLine& line) {
  std::string text;
  for (const timeline::LineOfWork& one : line.lines) {
    const bool is_own = one.place.function == line.place.function && one.place.file == line.place.file;
    text += (text.empty() ? "" : ", ") + (is_own ? place_text(one.place) : function_at(one.place)) + " " +
            std::to_string(std::lround(100 * one.share)) + " %";
  }
  return text + " of it";
}

std::string details(const HostLine& line, const StepShare& share, double saves, bool hides) {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : "; ") + part; };
  if (!line.inner.file.empty()) add("in " + place_and_function(line.inner));
  if (hides) add("without it the host goes on while the GPU works");
  if (!line.lines.empty()) add(lines_text(line));
  if (line.doing == HostDoing::kLaunching) add(launches_text(line, share, saves));
  const bool after_wait =
      static_cast<double>(line.preceding_wait_ns) >= kMostlyAfterWait * static_cast<double>(line.idle_ns);
  if (line.doing == HostDoing::kCode && after_wait && !line.preceding_wait.file.empty())
    add("exposed by " + user_spelling(line.preceding_wait_api) + " at " + place_text(line.preceding_wait));
  return text;
}

// What makes a row, besides the words that it begins with: launches that need another remedy, or that another library
// line makes, are another row. Of other lines, all that a row says.
std::string kind_of(const HostLine& line, const HostRow& row) {
  if (line.doing != HostDoing::kLaunching) return row.details;
  return place_and_function(line.inner) + to_string(timeline::remedy_of(line));
}

// The launches of a row's lines as one line's.
HostLine joined(const std::vector<const HostLine*>& lines) {
  HostLine all = *lines.front();
  for (size_t i = 1; i < lines.size(); ++i) {
    const HostLine& one = *lines[i];
    all.launches += one.launches;
    all.in_row += one.in_row;
    all.copies += one.copies;
    all.kinds += one.kinds;
    all.spaced += one.spaced;
    all.spacing_ns += one.spacing_ns;
    all.matched += one.matched;
    all.kernel_ns += one.kernel_ns;
  }
  return all;
}

// "another thread", "3 other processes", "another process, ffmpeg,"
std::string doers_of(const timeline::OtherWork& work) {
  const std::string one = work.is_elsewhere ? "process" : "thread", many = work.is_elsewhere ? "processes" : "threads";
  const long at_once = std::lround(work.at_once);
  const std::string text = work.threads == 1 ? "another " + one
                           : at_once == 1    ? "other " + many + " in turn"
                                             : std::to_string(at_once) + " other " + many;
  return work.process.empty() ? text : text + ", " + work.process + ",";
}

// Another process that sleeps or reads is itself held up, perhaps by this program. It ends no wait for a thread.
bool waits_itself(const timeline::OtherWork& work) {
  using trace::HostState;
  return work.is_elsewhere &&
         (work.state == HostState::kAsleep || work.state == HostState::kRead || work.state == HostState::kPoll);
}

bool waits_for_a_thread(const HostLine& line) {
  return line.state == trace::HostState::kLock || line.state == trace::HostState::kInterpreter;
}

// "meanwhile another thread works at feed.cpp:41 Sampler::fill for 93 % of it, mostly at blur.cpp:12 blur"
std::string meanwhile_text(const HostLine& line) {
  std::string text;
  for (const timeline::OtherWork& work : line.meanwhile) {
    if (waits_for_a_thread(line) && waits_itself(work)) continue;
    text += (text.empty() ? "meanwhile " : ", ") + doers_of(work) + " " + verb_of(work);
    if (work.process.empty()) text += " at " + function_at(work.place);
    text += " for " + std::to_string(std::lround(100 * work.share)) + " % of it";
    if (!work.hottest.file.empty()) text += ", mostly at " + function_at(work.hottest);
  }
  return text;
}

}  // namespace

std::vector<HostRow> ranked_rows(const DeviceTimeline& device, const StepShare& share, const Gains& gains) {
  std::vector<HostRow> rows;
  // One line's work in several parts of a step is one row, since rows do not show the part.
  std::map<std::tuple<std::string, std::string, std::string>, size_t> known;
  for (const HostLine& line : device.host_lines) {
    HostRow row;
    row.ns = share.of(line);
    row.saves = share.of_steps ? gains.of(line) : 0;
    row.hides =
        line.doing == HostDoing::kWaiting && row.saves >= kLeastShare * share.step_ns && row.saves >= 2 * row.ns;
    row.doing = doing_text(line);
    row.text = line_text(line);
    row.details = details(line, share, row.saves, row.hides);
    row.lines = {&line};
    const auto [same, is_new] = known.try_emplace({row.doing, row.text, kind_of(line, row)}, rows.size());
    if (is_new) {
      rows.push_back(std::move(row));
      continue;
    }
    HostRow& all = rows[same->second];
    all.ns += row.ns;
    all.lines.push_back(&line);
    if (share.of_steps) all.saves = gains.of_all(all.lines);
  }
  for (HostRow& row : rows) {
    const HostLine& first = *row.lines.front();
    if (first.doing == HostDoing::kLaunching && row.lines.size() > 1)
      row.details = details(joined(row.lines), share, row.saves, row.hides);
    if (const std::string others = meanwhile_text(first); !others.empty())
      row.details += (row.details.empty() ? "" : "; ") + others;
    row.saves_at_most = timeline::saves_at_most(first, share, row.ns, row.saves);
    row.saves = timeline::expected_saving(first, share, row.ns, row.saves);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const HostRow& a, const HostRow& b) {
    return std::make_pair(rounded(a.saves), a.ns) > std::make_pair(rounded(b.saves), b.ns);
  });
  return rows;
}

std::string where_text(const reader::Place& place, const reader::Place& before, const std::string& call,
                       const std::string& thread) {
  const bool named = !place.file.empty(), is_line = before.file.empty();
  std::string text = !named && !thread.empty() ? "thread " + thread
                     : is_line                 ? place_and_function(place)
                                               : place_text(place);
  if (!is_line && !(before == place)) text = place_text(before) + " to " + text;
  if (!call.empty()) text += "  " + call;
  if (named && !thread.empty()) text += "  (thread " + thread + ")";
  return text;
}

const char* doing_text(const HostLine& line) {
  using trace::HostState;
  if (line.doing != HostDoing::kCode) return to_string(line.doing);
  switch (line.state) {
    case HostState::kAsleep:
      return "asleep";
    case HostState::kLock:
      return "waits: a thread";
    case HostState::kInterpreter:
      return "waits: the GIL";
    case HostState::kRead:
      return "waits: a read";
    case HostState::kPoll:
      return "waits: a poll";
    case HostState::kProcess:
      return "waits: a child";
    default:
      return to_string(line.doing);
  }
}

}  // namespace syncsniff::report
