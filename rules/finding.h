// One finding, whether it comes from source code or from a running program. Both halves and every output format share
// this type; it depends on neither Clang nor CUPTI.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace syncsniff {

// A range of source text. Lines and columns count from 1; columns are in bytes. end_line is the last line of the range,
// and end_column is one past its last byte. line 0: the place is unknown.
struct Location {
  std::string file;
  unsigned line = 0, column = 0;
  unsigned end_line = 0, end_column = 0;
};

// One step of the call path from the hot loop to the line, or one piece of evidence, outermost first.
struct PathStep {
  Location location;
  std::string message;
};

// Replaces the bytes [offset, offset + length) of `file` as it was when it was read.
struct Edit {
  std::string file;
  unsigned offset = 0, length = 0;
  std::string replacement;
};

enum class FixTier { kNone, kSafe, kProved, kSuggested };

struct Fix {
  FixTier tier = FixTier::kNone;
  std::string description;  // what to write instead, one sentence
  std::vector<Edit> edits;  // empty if the fix is only described
};

// high: in every training step; medium: every few steps or under a condition; low: cheap or rare; info: for
// information.
enum class Severity { kInfo, kLow, kMedium, kHigh };

struct Finding {
  std::string rule;
  int level = 0;
  Severity severity = Severity::kHigh;
  std::string message;  // one sentence: what waits for what
  Location location;    // the call or loop; inside a macro, the line where the user's code uses the macro
  Location release;     // where the resource created by the call is freed or destroyed; line 0: unknown
  Location scope;       // the whole loop or function that the finding is about; line 0: only `location`
  Location wait;        // if `location` is a call of a wrapper: the waiting call inside it; else line 0
  // The library function that the finding is about, named as in rules/apis (at::Tensor::item, cudaMemcpy). Empty: the
  // finding is about several calls, or about code without a call.
  std::string callee;
  std::string function;            // qualified name of the enclosing function
  Location hot_call;               // the call on the path from the hot loop that this finding is for; line 0: none
  std::string hot_function;        // qualified name of the function that contains `hot_call`
  std::vector<Location> calls;     // the calls on the path, from the one in the hot loop down to `location`'s function
  std::vector<PathStep> path;      // hot loop -> ... -> location
  std::vector<PathStep> evidence;  // allocations, host work during the wait, why the severity was lowered
  Fix fix;
  std::string fingerprint;  // of rule, text and function, and text and function of the hot call; without line numbers
  // Fingerprints by which a later run recognises the same stall: the first is for the place itself, followed by one for
  // each of `calls`. They are needed since other calls may change which call a finding is reported for.
  std::vector<std::string> call_fingerprints;
  // Findings whose fingerprints differ only in a number, since their calls have the same text in functions of the same
  // name, have the same `same_text`; `copy` is their order. Not written out.
  std::string same_text;
  size_t copy = 0;
  size_t calls_left_out = 0;    // number of findings for other hot calls of this place that the report does not list
  std::string allowed_because;  // the reason in the allow comment; an allowed finding is kept but not counted
  bool allowed = false;
  // With --diff or --staged: the finding existed before the change, with at least this severity. Not written out.
  bool is_old = false;
};

const char* to_string(Severity severity);
const char* to_string(FixTier tier);
// Both throw std::invalid_argument with the unknown word.
Severity severity_from_string(const std::string& text);
FixTier fix_tier_from_string(const std::string& text);

// The result for one unit. A unit that could not be read is never reported as clean.
struct UnitStatus {
  std::string file;
  std::string status;  // analysed | partial | failed
  std::string why;
};

struct FindingsDocument {
  std::vector<Finding> findings;
  std::vector<UnitStatus> units;
  // For each file that an edit changes: a hash of its content when it was read. Not written out.
  std::map<std::string, uint64_t> contents;
  // Files named by a command or by the user below a folder of downloaded projects (_deps), wherever links in it lead.
  // Not written out.
  std::set<std::string> fetched = {};
  // The reasons why the line given with --why-not has no finding, or a less severe one. Not written out.
  std::vector<PathStep> answers = {};
  // Rules that were skipped because the program as a whole exceeded a limit, with the reason: one line each. Not
  // written out.
  std::vector<std::string> rules_left_out = {};
  // Notes about the whole run, one line each. Not written out.
  std::vector<std::string> notes = {};
  // The files for which findings were requested, with folders replaced by their files; empty: all. Not written out.
  std::vector<std::string> requested = {};
  // The units were read without a compile database. Not written out.
  bool no_database = false;
  // Number of findings read from a file without `callee`, which an earlier version of syncsniff wrote. Not written out.
  size_t without_callee = 0;
};

// The JSON written by `check --format=json` and read by `run`/`report --findings`. read_findings_json() throws
// std::runtime_error with the file and the wrong key.
std::string write_findings_json(const FindingsDocument& document);
FindingsDocument read_findings_json(const std::string& path);

}  // namespace syncsniff
