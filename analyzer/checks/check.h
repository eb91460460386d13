// What a check is: it reads a linked program and reports findings. Adding one: its YAML, its file, a line in
// registry.cpp. Shared here: which places are hot, how they are reached, how a finding is put together.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
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
using program::Heat;
using program::Program;
using program::Site;

// One blocking call as a user meets it: `at` is where to report (the call of a wrapper, or the API call itself),
// `inner` the calls from there down to `api`.
struct Located {
  Site at, api;
  std::vector<Site> inner;
  Heat heat;
  int region = -1;  // where that heat was taken, of the function of `at`; -1: where `at` stands
  std::shared_ptr<std::deque<program::Context>> contexts;
  // The way in, for asking where the API call's arguments come from.
  const program::Context* context() const { return contexts->empty() ? nullptr : &contexts->back(); }
};

// A line that a person asks about with --why-not; file: as in facts::Place. An empty file: none.
struct AskedLine {
  std::string file;
  unsigned line = 0;
  bool covers(const facts::Place& place) const {
    return !file.empty() && place.file == file && place.line <= line && line <= std::max(place.line, place.end_line);
  }
};

class Reporter {
 public:
  explicit Reporter(const std::map<std::string, Rule>& rules, AskedLine asked = {})
      : rules_(rules), asked_(std::move(asked)) {}

  // Fills in level, severity, path and fingerprint parts; `message` is one sentence without the rule's id. Other calls
  // by which the place is hot become findings of their own, made of this one as the rule leaves it.
  Finding& report(const std::string& rule, const Program& program, const Located& where, const std::string& message);
  // Of the last finding: on another way to its place it is one only where `holds` says so.
  void only_where(const std::function<bool(const Located&)>& holds);
  // A rule looked at the place and has no finding for it: `why`, in words that follow "no finding: ". Kept where a
  // person asked for the line alone.
  void withhold(const std::string& rule, const Program& program, const Located& where, const std::string& why);
  const AskedLine& asked() const { return asked_; }
  std::vector<PathStep> withheld() { return std::move(withheld_); }
  // The same for a place that is no event, such as a line of a kernel. `text`: what stands there.
  Finding& report_at(const std::string& rule, const facts::Place& place, const std::string& text,
                     const std::string& function, const Heat& heat, const std::string& message);
  // Makes the finding another rule's, with that rule's level and fix.
  void retell(Finding& finding, const std::string& rule) const;
  // A number that the rule's YAML gives.
  double threshold(const std::string& rule, const std::string& name) const;
  // Replaces the finding's fix text by the rule's for a named case (`fix_for` in its YAML).
  void use_fix_for(Finding& finding, const std::string& name) const;
  // All checks of a program have run, which may go now: findings for the other ways to each place are added.
  void end_program();
  // One finding a rule, line and hot call: the most severe, the shortest path. Sorted by file, line, rule.
  std::vector<Finding> finish();

 private:
  struct Told {
    Finding finding;
    // What `end_program` makes the others of. None: the finding is no event's, or has been through it.
    const Program* program = nullptr;
    Located where;
    std::vector<program::Way> ways;  // the first is the finding's own
    std::vector<Located> others;     // by the other ways; dropped: no finding
    size_t reasons = 0, steps = 0;   // of the finding's evidence and path, those that are the way's
    bool by_each_call = false;
    // For fingerprints: what stands for the hot call, and for each call of the way. Empty: the place itself is hot.
    std::string call;
    std::vector<std::string> calls;
  };
  static void tell_way(Told& told, const Program& program, const program::Way& way);
  void add_other_ways(const Told& first);

  const std::map<std::string, Rule>& rules_;
  const AskedLine asked_;
  std::deque<Told> told_;
  size_t ended_ = 0;   // of told_, those that are through end_program
  size_t others_ = 0;  // ways to places that are told, besides the hottest one
  std::vector<PathStep> withheld_;
};

using Test = std::function<bool(const Event&, const ApiFact&)>;

// Every call of the tables' functions that passes the test, hot or not.
std::vector<Site> calls(const Program& program, const Test& test);

// Every hot place whose API call passes the test, wrappers opened. Dropped heat (errors, set-up) is left out.
std::vector<Located> hot_calls(const Program& program, const Test& test);

// The same, with the functions opened for which `opens` holds: their callers are the place to report.
using Opens = std::function<bool(int function)>;
std::vector<Located> hot_calls(const Program& program, const Test& test, const Opens& opens);

// The same for one event, hot or not.
std::vector<Located> locate(const Program& program, Site api);

// A place that is itself where to report, with the heat that is to count for it.
Located located_at(Site site, const Heat& heat, int region = -1);

// The wrappers' own gates: `if (debug) wait` in a function that is told at its calls. May drop the heat.
void pass_wrappers(const Program& program, Located& where);

// The calls from where the program starts, then those through the wrappers.
void set_contexts(Located& where, std::vector<Site> calls);

Location to_location(const facts::Place& place);
std::string often(const Heat& heat);  // "in every iteration of a loop that feeds it", "at each call of 'forward', ..."

struct CheckEntry {
  const char* id;
  void (*run)(const Program&, Reporter&);
};
const std::vector<CheckEntry>& all_checks();

}  // namespace syncsniff::checks
