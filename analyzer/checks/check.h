// What a check is: it reads a linked program and reports findings. Adding one: its YAML, its file, a line in
// registry.cpp. Shared here: which places are hot, how they are reached, how a finding is put together.
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

// One blocking call as users see it: `at` is the place to report (the call of a wrapper, or the API call itself),
// `inner` the calls from there down to `api`.
struct Located {
  Site at, api;
  std::vector<Site> inner;
  Heat heat;
  int region = -1;  // the region of `at`'s function for which `heat` was computed; -1: the region of `at`
  // If the finding is true of some call paths to `at` only: the last calls of those paths, outermost first.
  std::vector<Site> only_by;
  std::vector<Site> first_by;  // the last calls of the path that the report shows; empty: it shows the hottest path
  std::shared_ptr<std::deque<program::Context>> contexts;
  // The calls that lead here; with them the origin of the API call's arguments can be looked up.
  const program::Context* context() const { return contexts->empty() ? nullptr : &contexts->back(); }
};

// A line that a person asks about with --why-not; file: as in facts::Place. An empty file: none.
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

  // Fills in level, severity, path and fingerprint parts; `message` is one sentence without the rule's id. For each
  // further call by which the place is hot, a copy of this finding is made when the rule has finished with it.
  Finding& report(const std::string& rule, const Program& program, const Located& where, const std::string& message);
  // For the last finding: a further call path to its place is a finding only if `holds` returns true for it.
  void only_where(const std::function<bool(const Located&)>& holds);
  // A rule looked at the place and decided against a finding: `why` is worded to follow "no finding: ". Kept only for
  // the line that --why-not names.
  void withhold(const std::string& rule, const Program& program, const Located& where, const std::string& why);
  const RequestedLine& requested_line() const { return requested_line_; }
  std::vector<PathStep> withheld() { return std::move(withheld_); }
  // The same for a place that is not an event, such as a line of a kernel. `text`: the source text there.
  Finding& report_at(const std::string& rule, const facts::Place& place, const std::string& text,
                     const std::string& function, const Heat& heat, const std::string& message);
  // Reassigns the finding to another rule, with the fix of that rule and its level, or a higher one that it has.
  void retell(Finding& finding, const std::string& rule) const;
  // A threshold from the rule's YAML.
  double threshold(const std::string& rule, const std::string& name) const;
  // Replaces the finding's fix text by the rule's for a named case (`fix_for` in its YAML).
  void use_fix_for(Finding& finding, const std::string& name) const;
  // Called when all checks of a program have run, before the program is destroyed: adds the findings for the further
  // call paths to each place.
  void end_program();
  // In place of checks that ran here: what other reporters have of one program, after its end, in the order in which
  // the checks stand in the list. The result is the same.
  void append(std::vector<Reporter>& parts);
  // For another process, after end_program(), of one program alone.
  std::string bytes();
  // False where the bytes are not whole.
  bool read(std::string_view bytes);
  // One finding per rule, line and hot call: the most severe, with the shortest path. Sorted by file, line, rule.
  std::vector<Finding> finish();

 private:
  // What finish() and append() look at.
  struct Told {
    Finding finding;
    bool by_each_call = false;
    size_t counted = 0;    // further paths that count against the limit for all findings
    bool further = false;  // a copy that end_program() made ...
    size_t of = 0;         // ... of this one
    bool never = false;    // the arguments of every call that leads there turn it off
    // For fingerprints: the identity of the hot call, and of each call on the path. Empty: the place itself is in the
    // hot loop.
    std::string call;
    std::vector<std::string> calls;
    std::vector<std::string> callers;  // the functions that make these calls
    Location through;  // behind a call of a callback or virtual function: the function that it runs; line 0: none
    template <class A>
    friend auto fields(A& a, Told& t) {
      return a(t.finding, t.by_each_call, t.counted, t.further, t.of, t.never, t.call, t.calls, t.callers, t.through);
    }
  };
  struct Reported : Told {
    // What end_program() needs to make the further findings. nullptr: the finding is not about an event, or
    // end_program() has handled it.
    const Program* program = nullptr;
    Located where;
    std::vector<program::Way> ways;  // call paths to the place; the first is this finding's own
    std::vector<Located> others;     // the place on each of the other paths; dropped: no finding
    size_t reasons = 0, steps = 0;   // how many entries of the finding's evidence and path depend on the call path
    bool alone = false;              // its further findings are beyond the limit
  };
  static void tell_by(const Program& program, Reported& reported, const program::Way& way);
  static void set_hot_call(Reported& reported, const Program& program, const program::Way& way);
  static bool take_later_call(Told& told, const std::function<bool(const Location&)>& is_free);
  void add_other_ways(size_t number);

  const std::map<std::string, Rule>& rules_;
  const RequestedLine requested_line_;
  std::deque<Reported> reported_;
  size_t ended_ = 0;   // how many of reported_ end_program() has handled
  size_t others_ = 0;  // call paths kept for all findings, besides the hottest one of each
  std::vector<PathStep> withheld_;
};

using Test = std::function<bool(const Event&, const ApiFact&)>;

// Every call of the tables' functions that passes the test, hot or not.
std::vector<Site> calls(const Program& program, const Test& test);

// Every hot place whose API call passes the test; a call inside a wrapper (program/wrappers.h: of blocking calls alone)
// is placed at the wrapper's callers. Places with dropped heat (errors, set-up) are left out.
std::vector<Located> hot_calls(const Program& program, const Test& test);

// The same with other wrappers: a call inside a function that `opens` accepts is placed at that function's callers.
using Opens = std::function<bool(int function)>;
std::vector<Located> hot_calls(const Program& program, const Test& test, const Opens& opens);

// The same for one call, hot or not.
std::vector<Located> locate(const Program& program, Site api);

// A place that is reported itself, with the heat that counts for it.
Located located_at(Site site, const Heat& heat, int region = -1);

// Applies the wrappers' own conditions to the heat, such as `if (debug) wait` in a function that is reported at its
// callers. May drop the heat.
void pass_wrappers(const Program& program, Located& where);

// Whether the test holds for the place on one of the ways that make it hot. `where` is changed to that way: the hottest
// way comes first, but may hand in another tensor or pointer than the way that matters.
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
