// The whole of `check` as one call: database -> units -> facts -> program -> findings.
// Prints nothing and edits nothing; analyzer/output and analyzer/fixes do that with what it returns.
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
  // Units, headers and folders to report on; empty: every unit of the database, and its headers. A folder means the
  // units below it that the database compiles, all where it compiles none, and the headers that units read include.
  std::vector<std::string> files;
  std::vector<std::string> extra_arguments;  // compiler options to add to every command
  std::vector<std::string> also;             // units to read although no command of the database names them
  SourceTexts texts;                         // read in place of files
  // Files whose changes the caller reports on: programs without one of them are not judged. Empty: `files` decides it.
  std::vector<std::string> changed;
  // The texts of files that have changed, as they were before; empty: nothing is compared. See Finding::is_old.
  SourceTexts before;
  bool at_commit = false;  // somebody waits: not each unit that a changed header is part of has to be read again
  std::map<std::string, std::string> renamed;  // what units were called then, by their present path
  bool by_path = true;             // also report findings elsewhere whose call path goes through one of `files`
  std::vector<std::string> rules;  // globs over those up to max_level (rules/rule_choice.h)
  std::vector<std::string> words;  // files like rules/words.yaml, with more words
  Location why_not;                // a line to explain; no file: none
  int max_level = 1;               // rules up to this level are on before the globs
  bool use_cache = false;          // keep facts in the user's cache folder, and parse only what changed
  int jobs = 0;                    // units parsed at once; 0: one a core
  isolation::Limits limits;        // of one unit, and of linking and checking them all
  bool progress = false;           // show on stderr, a terminal, how far the run has come
  bool verbose = false;            // print on stderr what is read and what is ignored

  std::vector<std::string> api_facts;  // files like rules/apis/*.yaml, with more functions
  Thresholds thresholds;               // instead of the tables'
  FileFilter reported_files;           // findings elsewhere are left out
};

// Findings are sorted by file, line, rule; paths are relative to the working directory when below it.
// Suppressions are not applied here (output/suppress.h does, on the text).
// Errors: std::runtime_error with one line; a unit that cannot be read is a UnitStatus, not an error.
FindingsDocument analyse(const AnalysisOptions& options);

// What the requested units say, as text (facts/facts_text.h), with nothing linked or checked. Errors: as analyse().
std::string facts_text(const AnalysisOptions& options);

}  // namespace syncsniff
