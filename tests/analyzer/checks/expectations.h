// What a test program says about itself, in comments on the lines that findings should speak of, in the way of
// clang's -verify: `// expect-high {{part of the message}} [sync-in-loop]`. Knows no analyzer; compares only.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::test {

// `expect-<severity>[@+n|@-n] [{{text}}] [rule]`, any number of them on a line. The text is looked for in the message.
struct Expectation {
  std::string file;
  unsigned line = 0;       // where the finding should be
  unsigned written_on = 0;
  Severity severity = Severity::kHigh;
  std::string rule, text;
};

// `expect-path [rule] file:line, file:line`: the finding of `rule` on this line (or @+n) has these steps, all of them,
// in order. `expect-calls [rule] file:line, ...`: the line has a finding of `rule` for each of these hot calls, and no
// other. `expect-evidence [rule] {{text}}`: one of its pieces of evidence says this. `expect-callee [rule] {{name}}`: it
// is about this library function; {{}}: about none.
struct DetailExpectation {
  std::string file;
  unsigned line = 0, written_on = 0;
  std::string rule;
  std::vector<std::string> path;  // base names with lines
  std::string evidence;           // used where path is empty
  bool calls = false;             // `path` are hot calls
  bool callee = false;            // `evidence` is the callee
};

struct Expectations {
  std::vector<Expectation> findings;
  std::vector<DetailExpectation> details;
  std::vector<std::string> flags;     // `// flags: -DX ...`: added to the unit's compile command
  std::vector<std::string> requires_; // `// requires: thrust/reduce.h`: skipped where the toolkit has no such header
  int level = 1;                      // `// level: 2`: advice is expected, too
  std::string status = "analysed";    // `// status: partial`: of each unit, where something cannot be read
  std::vector<std::string> errors;    // malformed comments, as file:line: what
};

// Reads the expectations of one source; adds to `into`. Errors are told in into.errors.
void read_expectations(const std::string& file, Expectations& into);

// Findings of one line and rule that differ in the hot call are one here, the first, but for expect-calls.
// Every difference between what is expected and what was found, as `file:line: what`; empty: none.
std::vector<std::string> compare(const Expectations& expected, const std::vector<Finding>& found);

}  // namespace syncsniff::test
