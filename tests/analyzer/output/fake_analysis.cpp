// Stands in for the analysis: finds the words `redundant();`, `wait();` and `info();` in the files it is given.
// A file whose first line says failed or partial is reported so.
#include <stdexcept>

#include "analyzer/analysis.h"
#include "analyzer/content_hash.h"
#include "analyzer/doctor.h"
#include "analyzer/output/source_text.h"

namespace syncsniff {
namespace {

using output::SourceText;

struct Word {
  const char* text;
  const char* rule;
  Severity severity;
  FixTier tier;
};
constexpr Word kWords[] = {{"redundant();", "redundant-sync", Severity::kHigh, FixTier::kSafe},
                           {"wait();", "sync-in-loop", Severity::kHigh, FixTier::kSuggested},
                           {"info();", "scalar-readback", Severity::kInfo, FixTier::kSuggested}};

Finding finding_at(const Word& word, const std::string& file, const SourceText& source, size_t offset) {
  Finding finding;
  finding.rule = word.rule;
  finding.severity = word.severity;
  finding.message = std::string(word.text) + " stalls";
  unsigned line = source.line_at(offset);
  auto column = static_cast<unsigned>(offset - source.line_start(line)) + 1;
  auto length = static_cast<unsigned>(std::string(word.text).size());
  finding.location = {file, line, column, line, column + length - 1};
  finding.fingerprint = file + word.rule + std::to_string(offset);
  finding.fix.tier = word.tier;
  finding.fix.description = word.tier == FixTier::kSafe ? "delete it" : "move it out of the loop";
  if (word.tier == FixTier::kSafe) {
    bool sole_body = offset >= 2 && source.text().compare(offset - 2, 2, ") ") == 0;
    finding.fix.edits = {{file, static_cast<unsigned>(offset), length, sole_body ? "{}" : ""}};
  }
  return finding;
}

}  // namespace

std::vector<Diagnosis> diagnose_check(const ConfigChoice&) { return {}; }

FindingsDocument analyse(const AnalysisOptions& options) {
  if (options.files.empty()) throw std::runtime_error("no compile_commands.json found; give -p");
  FindingsDocument document;
  for (const std::string& file : options.files) {
    SourceText source(output::read_whole_file(file).value_or(""));
    std::string status = source.line(1).find("failed") != std::string_view::npos    ? "failed"
                         : source.line(1).find("partial") != std::string_view::npos ? "partial"
                                                                                    : "analysed";
    document.contents[file] = content_hash(source.text());
    document.units.push_back({file, status, status == "analysed" ? "" : "no such header"});
    if (status == "failed") continue;
    for (const Word& word : kWords)
      for (size_t at = source.text().find(word.text); at != std::string::npos;
           at = source.text().find(word.text, at + 1))
        document.findings.push_back(finding_at(word, file, source, at));
  }
  return document;
}

std::string facts_text(const AnalysisOptions&) { return {}; }

}  // namespace syncsniff
