// What a check is: a function that reads a linked program and reports findings. To add one, write its YAML and its
// file, and add a line to registry.cpp. Checks share the code here: which places are hot, how they are reached, how a
// finding is built.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/program/program.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff::checks {

using facts::Event;
using facts::Gate;
using facts::Region;
using facts::Value;
using program::ElementShare;
using program::Heat;
using program::Program;
using program::Site;

// One blocking call as users see it. `at`: the place to report, which is the call of a wrapper or the API call itself.
// `inner`: the calls from there down to `api`.
struct Located {
  Site at, api;
  std::vector<Site> inner;
  Heat heat;
  int region = -1;  // the region of `at`'s function for which `heat` was computed; -1: the region of `at`
  // If the finding holds only for some call paths to `at`: the last calls of those paths, outermost first.
  std::vector<Site> only_by;
  std::vector<Site> first_by;  // the last calls of the path that the report shows; empty: it shows the hottest path
  std::shared_ptr<std::deque<program::Context>> contexts;
  // The calls that lead here, innermost first; needed to look up the origin of the API call's arguments. nullptr: none.
  const program::Context* context() const { return contexts->empty() ? nullptr : &contexts->back(); }
};

// A line that a person asks about with --why-not. `file` is spelled as in facts::Place; empty: no line was asked about.
struct RequestedLine {
  std::string file;
  unsigned line = 0;
  bool covers(const facts::Place& place) const {
    return !file.empty() && place.file == file && place.line <= line && line <= std::max(place.line, place.end_line);
  }
};

class Reporter {
 public:
  explicit Reporter(const std::map<std::string, Rule>& rules, RequestedLine requested_line = {})
      : rules_(rules), requested_line_(std::move(requested_line)) {}

  // Fills in level, severity, path and the parts of the fingerprint. `message` is one sentence without the rule's id.
  // For each further call through which the place is hot, end_program() adds a copy of this finding.
  Finding& report(const std::string& rule, const Program& program, const Located& where, const std::string& message);
  // Restricts the last finding: a further call path to its place gets a finding only if `holds` returns true for it.
  void only_where(const std::function<bool(const Located&)>& holds);
  // Records that a rule looked at the place and decided against a finding. `why` is worded to follow "no finding: ".
  // Only entries for the line that --why-not names are kept.
  void withhold(const std::string& rule, const Program& program, const Located& where, const std::string& why);
  const RequestedLine& requested_line() const { return requested_line_; }
  std::vector<PathStep> withheld() { return std::move(withheld_); }
  // Like report(), for a place that is not an event, such as a line of a kernel. `text`: the source text there.
  Finding& report_at(const std::string& rule, const facts::Place& place, const std::string& text,
                     const std::string& function, const Heat& heat, const std::string& message);
  // Reassigns the finding to another rule. It gets that rule's fix, and that rule's level unless its own is higher.
  void reassign_to_rule(Finding& finding, const std::string& rule) const;
  // A threshold from the rule's YAML.
  double threshold(const std::string& rule, const std::string& name) const;
  // Replaces the finding's fix text by the rule's for a named case (`fix_for` in its YAML).
  void use_fix_for(Finding& finding, const std::string& name) const;
  // Called when all checks of a program have run, before the program is destroyed: adds the findings for the further
  // call paths to each place.
  void end_program();
  // Adds what other reporters found in the same program, for checks that ran in other processes. Call it after their
  // end_program(), with the parts in the order of the checks in the list; the result is then the same as if one process
  // had run all checks.
  void append(std::vector<Reporter>& parts);
  // Serialises the findings of one program for another process. Call it after end_program().
  std::string bytes();
  // Reads what bytes() wrote. Returns false if the bytes are truncated or damaged.
  bool read(std::string_view bytes);
  // One finding per rule, line and hot call: the most severe, with the shortest path. Sorted by file, line, rule.
  std::vector<Finding> finish();

 private:
  // The part of a reported finding that finish() and append() need, and that bytes() serialises.
  struct FindingState {
    Finding finding;
    bool by_each_call = false;
    size_t counted = 0;    // further paths that count against the limit for all findings
    bool further = false;  // end_program() made it as a copy ...
    size_t of = 0;         // ... of the finding with this number
    bool never = false;    // no finding: the arguments of every call that leads there turn the place off
    // For fingerprints: the identity of the hot call, and of each call on the path. Empty: the place itself is in the
    // hot loop.
    std::string call;
    std::vector<std::string> calls;
    std::vector<std::string> callers;  // the functions that make these calls
    // If the path goes through a call of a callback or virtual function: the function that it runs; line 0: it does
    // not.
    Location through;
    template <class A>
    friend auto fields(A& a, FindingState& t) {
      return a(t.finding, t.by_each_call, t.counted, t.further, t.of, t.never, t.call, t.calls, t.callers, t.through);
    }
  };
  struct Reported : FindingState {
    // What end_program() needs to make the copies for further call paths. nullptr: the finding is not about an event,
    // or end_program() has already handled it.
    const Program* program = nullptr;
    Located where;
    std::vector<program::Way> ways;  // call paths to the place; the first is this finding's own
    // The place on each of the other paths; if its heat is dropped, that path gets no finding.
    std::vector<Located> others;
    size_t reasons = 0, steps = 0;  // how many entries of the finding's evidence and path depend on the call path
    bool alone = false;             // the limit is reached, so it gets no copies for further call paths
  };
  static void apply_call_path(const Program& program, Reported& reported, const program::Way& way);
  static void set_hot_call(Reported& reported, const Program& program, const program::Way& way);
  static bool take_later_call(FindingState& state, const std::function<bool(const Location&)>& is_free);
  void add_other_ways(size_t number);

  const std::map<std::string, Rule>& rules_;
  const RequestedLine requested_line_;
  std::deque<Reported> reported_;
  size_t ended_ = 0;   // how many of reported_ end_program() has processed
  size_t others_ = 0;  // call paths kept for all findings, besides the hottest one of each
  std::vector<PathStep> withheld_;
};

using Test = std::function<bool(const Event&, const ApiFact&)>;

// Every call of a function in the API tables that passes the test, hot or not.
std::vector<Site> calls(const Program& program, const Test& test);

// Every hot place whose API call passes the test. A call inside a wrapper of a blocking call (program/wrappers.h) is
// reported at the wrapper's callers. Places with dropped heat (errors, set-up) are left out.
std::vector<Located> hot_calls(const Program& program, const Test& test);

// The same with other wrappers: a call inside a function for which `opens` returns true is reported at its callers.
using Opens = std::function<bool(int function)>;
std::vector<Located> hot_calls(const Program& program, const Test& test, const Opens& opens);

// The same for one call, hot or not.
std::vector<Located> locate(const Program& program, Site api);

// A place that is itself reported, without a wrapper, and the heat to report.
Located located_at(Site site, const Heat& heat, int region = -1);

// Applies the wrappers' own conditions to the heat, such as `if (debug) wait` in a function that is reported at its
// callers. May drop the heat.
void pass_wrappers(const Program& program, Located& where);

// Whether the test returns true on one of the call paths that make the place hot, starting with the hottest. `where` is
// changed to the first such path, since another path may pass another tensor or pointer.
bool find_way(const Program& program, Located& where, const std::function<bool(const Located&)>& holds);

// Sets the call path: `calls` from the program's entry to the place, followed by those through the wrappers.
void set_contexts(Located& where, std::vector<Site> calls);

Location to_location(const facts::Place& place);
std::string often(const Heat& heat);  // "in every iteration of a loop that ...", "at each call of 'forward', ..."

struct CheckEntry {
  const char* id;
  void (*run)(const Program&, Reporter&);
};
const std::vector<CheckEntry>& all_checks();

}  // namespace syncsniff::checks
