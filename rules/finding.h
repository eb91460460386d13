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

// One step of the way from the hot loop to the line, or one piece of evidence, outermost first.
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

// high: runs every training step; medium: gated; low: cheap or rare; info: worth a word.
enum class Severity { kInfo, kLow, kMedium, kHigh };

struct Finding {
  std::string rule;
  int level = 0;
  Severity severity = Severity::kHigh;
  std::string message;             // one sentence: what waits for what
  Location location;               // the exact call or loop, the user's line for macros
  Location release;                // where what the call made is freed or destroyed again; line 0: not told
  Location scope;                  // the whole loop or function the finding speaks of; line 0: location alone
  Location wait;                   // the waiting call itself where `location` is the call of its wrapper; else line 0
  std::string function;            // qualified name of the enclosing function
  Location hot_call;               // the call that this finding is told for, on the way from the hot loop; line 0: none
  std::string hot_function;        // qualified name of the function that holds `hot_call`
  std::vector<Location> calls;     // the way's calls, from the one in the hot loop down to `location`'s function
  std::vector<PathStep> path;      // hot loop -> ... -> location
  std::vector<PathStep> evidence;  // where the memory was allocated, what the host does meanwhile
  Fix fix;
  std::string fingerprint;  // rule + text + function, and text + function of the hot call; no line numbers
  // What a later run may know the same stall by: one fingerprint for the place itself, first, and one for each of
  // `calls`. Which of the calls a finding is told for depends on what other calls there are.
  std::vector<std::string> call_fingerprints;
  size_t calls_left_out = 0;    // findings for other hot calls of this place that the report does not list
  std::string allowed_because;  // the reason given in an allow comment; such a finding is kept, not counted
  bool allowed = false;
};

const char* to_string(Severity severity);
const char* to_string(FixTier tier);
// Both throw std::invalid_argument that names the bad word.
Severity severity_from_string(const std::string& text);
FixTier fix_tier_from_string(const std::string& text);

// One source unit's outcome: a unit that could not be read is never called clean.
struct UnitStatus {
  std::string file;
  std::string status;  // analysed | partial | failed | skipped
  std::string why;
};

struct FindingsDocument {
  std::vector<Finding> findings;
  std::vector<UnitStatus> units;
  // Of each file that an edit changes: a hash of what stood in it when it was read. Not written out.
  std::map<std::string, uint64_t> contents;
  // Files that a command or the user names below a folder of fetched projects (_deps), wherever links lead from there.
  // Not written out.
  std::set<std::string> fetched = {};
  // Why the line that was asked for has no finding, or a less severe one. Not written out.
  std::vector<PathStep> answers = {};
  // Rules that the program as a whole was too much for, and why: one line each. Not written out.
  std::vector<std::string> rules_left_out = {};
  // What is to be known of the whole run, one line each. Not written out.
  std::vector<std::string> notes = {};
};

// The JSON that `check --output-format=json` writes and that `run`/`report --findings` read.
// Errors: read throws std::runtime_error naming the file and the offending key.
std::string write_findings_json(const FindingsDocument& document);
FindingsDocument read_findings_json(const std::string& path);

}  // namespace syncsniff
