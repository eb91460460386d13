// What one finding carries, the same whether source or a running program showed it.
// Both halves and every output format share this type; it knows neither Clang nor CUPTI.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace syncsniff {

// A range of source text. Lines and columns count from 1; columns are bytes; the end is inclusive of its line,
// and end_column is one past the last byte. line 0: no place known.
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

// A replacement of the bytes [offset, offset + length) of `file` as it was when it was read.
struct Edit {
  std::string file;
  unsigned offset = 0, length = 0;
  std::string replacement;
};

enum class FixTier { kNone, kSafe, kProved, kSuggested };

struct Fix {
  FixTier tier = FixTier::kNone;
  std::string description;  // what to write instead, one sentence
  std::vector<Edit> edits;  // empty where the fix is only described
};

// high: in every training step; medium: every few steps or under a condition; low: cheap or rare; info: for
// information.
enum class Severity { kInfo, kLow, kMedium, kHigh };

struct Finding {
  std::string rule;
  int level = 0;
  Severity severity = Severity::kHigh;
  std::string message;  // one sentence: what waits for what
  Location location;    // the exact call or loop; inside a macro, the line where the user uses the macro
  Location release;     // where the resource that the call created is freed or destroyed again; line 0: not known
  Location scope;       // the whole loop or function that the finding is about; line 0: only `location`
  Location wait;        // the waiting call itself where `location` is the call of its wrapper; else line 0
  // The library function that the finding is about, by its name in rules/apis (at::Tensor::item, cudaMemcpy). Empty:
  // the finding is about several calls, or about code that calls none.
  std::string callee;
  std::string function;            // qualified name of the enclosing function
  Location hot_call;               // the call, on the path from the hot loop, that this finding is for; line 0: none
  std::string hot_function;        // qualified name of the function that holds `hot_call`
  std::vector<Location> calls;     // the calls on the path, from the one in the hot loop down to `location`'s function
  std::vector<PathStep> path;      // hot loop -> ... -> location
  std::vector<PathStep> evidence;  // allocations, host work meanwhile, why the severity was lowered
  Fix fix;
  std::string fingerprint;  // rule + text + function, and text + function of the hot call; no line numbers
  // Fingerprints by which a later run can recognise the same stall: the first for the place itself, and one for each of
  // `calls`. Which of the calls a finding is reported for depends on what other calls there are.
  std::vector<std::string> call_fingerprints;
  size_t calls_left_out = 0;    // number of findings for other hot calls of this place that the report does not list
  std::string allowed_because;  // the reason given in an allow comment; such a finding is kept, not counted
  bool allowed = false;
  // Of a change: the finding was there before it, no less severe. Not written out.
  bool is_old = false;
};

const char* to_string(Severity severity);
const char* to_string(FixTier tier);
// Both throw std::invalid_argument that names the bad word.
Severity severity_from_string(const std::string& text);
FixTier fix_tier_from_string(const std::string& text);

// One source unit's outcome: a unit that could not be read is never called clean.
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
  // Files that a command or the user names below a folder of fetched projects (_deps), wherever links lead from there.
  // Not written out.
  std::set<std::string> fetched = {};
  // Why the line given with --why-not has no finding, or a less severe one. Not written out.
  std::vector<PathStep> answers = {};
  // Rules that were left out because the program as a whole exceeded a limit, and why: one line each. Not written out.
  std::vector<std::string> rules_left_out = {};
  // Notes about the whole run, one line each. Not written out.
  std::vector<std::string> notes = {};
  // The files that the run was asked about, those below a folder one by one; empty: all. Not written out.
  std::vector<std::string> requested = {};
  // The units were read without a compile database. Not written out.
  bool no_database = false;
  // Number of findings read from a file that lack `callee`: an earlier version of syncsniff wrote it. Not written out.
  size_t without_callee = 0;
};

// The JSON that `check --format=json` writes and that `run`/`report --findings` read.
// Errors: read throws std::runtime_error naming the file and the offending key.
std::string write_findings_json(const FindingsDocument& document);
FindingsDocument read_findings_json(const std::string& path);

}  // namespace syncsniff
