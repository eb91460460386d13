// The whole of `check` as one call: database -> units -> facts -> program -> findings.
// Prints and edits nothing; analyzer/output and analyzer/fixes do that with the result.
#pragma once

#include <string>
#include <vector>

#include "analyzer/file_filter.h"
#include "analyzer/isolation/worker_pool.h"
#include "analyzer/source_texts.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff {

struct AnalysisOptions {
  std::string database;  // -p: folder or file; empty: look for one
  // Units, headers and folders to report on; empty: every unit of the database, and its headers. A folder stands for
  // the units below it that the database compiles (all units below it if the database compiles none of them), and for
  // its headers that units include.
  std::vector<std::string> files;
  std::vector<std::string> extra_arguments;  // compiler options to add to every command
  std::vector<std::string> also;             // units to read although the database does not name them
  SourceTexts texts;                         // read in place of files
  // Files whose changes the caller reports on: programs without any of them are not judged. Empty: `files` decides.
  std::vector<std::string> changed;
  // The texts of changed files before the change; empty: nothing is compared. See Finding::is_old.
  SourceTexts before;
  bool at_commit = false;  // the user waits, so units with a changed header need not all be read again
  std::map<std::string, std::string> renamed;  // former paths of units, by their present path
  bool by_path = true;             // also report findings elsewhere whose call path goes through one of `files`
  std::vector<std::string> rules;  // globs that select among the rules up to max_level (rules/rule_choice.h)
  std::vector<std::string> words;  // files like rules/words.yaml, with more words
  Location why_not;                // a line to explain; no file: none
  int max_level = 1;               // rules up to this level are on before the globs
  bool use_cache = false;          // keep facts in the user's cache folder, and parse only what changed
  int jobs = 0;                    // units parsed at once; 0: one per core
  isolation::Limits limits;        // of one unit, and of linking and checking them all
  bool progress = false;           // show the run's progress on stderr, a terminal
  bool verbose = false;            // print on stderr what is read and what is ignored

  std::vector<std::string> api_facts;  // files like rules/apis/*.yaml, with more functions
  Thresholds thresholds;               // instead of the tables'
  FileFilter reported_files;           // findings in other files are left out
};

// Findings are sorted by file, line, rule; paths are relative to the working directory when below it.
// Suppressions are not applied here (output/suppress.h does, on the text).
// Errors: std::runtime_error with one line; a unit that cannot be read is a UnitStatus, not an error.
FindingsDocument analyse(const AnalysisOptions& options);

// The facts of the requested units as text (facts/facts_text.h); nothing is linked or checked. Errors: as analyse().
std::string facts_text(const AnalysisOptions& options);

}  // namespace syncsniff
