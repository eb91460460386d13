#include "analyzer/analysis.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "analyzer/before_change.h"
#include "analyzer/content_hash.h"
#include "analyzer/facts/cache.h"
#include "analyzer/facts/facts_text.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/folders.h"
#include "analyzer/frontend/language.h"
#include "analyzer/judge.h"
#include "analyzer/notes.h"
#include "analyzer/paths.h"
#include "analyzer/plan.h"
#include "analyzer/progress_line.h"
#include "analyzer/read_units.h"
#include "analyzer/remembered_paths.h"
#include "rules/api_facts.h"
#include "rules/data_error.h"
#include "rules/regular_file.h"
#include "rules/rule.h"
#include "rules/rule_choice.h"

namespace syncsniff {
namespace fs = std::filesystem;
namespace {

UnitStatus status_of(const facts::UnitFacts& unit) {
  UnitStatus status{shown(unit.file), "analysed", ""};
  if (!unit.errors.empty()) {
    status.why = unit.errors.front();
    if (unit.error_count > 1) status.why += " (and " + std::to_string(unit.error_count - 1) + " more errors)";
    status.status = unit.no_code ? "failed" : "partial";
    std::error_code error;
    if (unit.no_code && status.why.starts_with("no such file") && !fs::exists(unit.file.str(), error))
      status.why = "no such file, though the compile database names it; make the database again";
    else if (unit.no_code && frontend::file_kind(unit.file.str()) == frontend::FileKind::kUnknown)
      status.why = "not a C, C++ or CUDA source by its name, and not one by its text either: " + status.why;
  }
  return status;
}

// Names and contents of the API tables, including the user's own: cached facts depend on them.
std::string stamp_of(const std::string& folder, const std::vector<std::string>& own_tables) {
  std::string stamp;
  std::error_code error;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.insert(entry.path());
  for (const fs::path& file : files) {
    std::string problem;
    const std::optional<std::string> text = read_regular_file(file.string(), problem);
    stamp += file.filename().string() + " " + (text ? std::to_string(content_hash(*text)) : problem) + "\n";
  }
  for (const std::string& file : own_tables) {
    std::string problem;
    const std::string text = read_regular_file(file, problem).value_or("");
    stamp += fs::path(file).stem().string() + " " + std::to_string(content_hash(text)) + "\n";
  }
  return stamp;
}

ReadOptions read_options(const AnalysisOptions& options, const std::string& tables) {
  ReadOptions read;
  if (options.use_cache) read.cache_directory = facts::default_cache_directory();
  read.tables = tables;
  read.jobs =
      options.jobs > 0 ? static_cast<unsigned>(options.jobs) : std::max(1u, std::thread::hardware_concurrency());
  read.limits = options.limits;
  read.texts = options.texts;
  read.verbose = options.verbose;
  return read;
}

// The content hash of each source that was read completely and in one state. A file that changed between two units,
// which then saw different texts, counts as not read.
std::map<std::string, uint64_t> content_hashes(const std::vector<facts::UnitFacts>& units) {
  std::map<std::string, uint64_t> hashes;
  std::set<std::string> changed;
  for (const facts::UnitFacts& unit : units) {
    for (const facts::SourceContent& source : unit.sources) {
      const auto [known, fresh] = hashes.emplace(source.file, source.hash);
      if (!fresh && known->second != source.hash) changed.insert(source.file);
    }
  }
  for (const std::string& file : changed) hashes.erase(file);
  return hashes;
}

// Findings name few files many times, and resolving a path asks the file system for every folder above it.
void show_relative(Finding& finding, RememberedPaths& shown_paths) {
  const auto show = [&](std::string& path) { path = shown_paths.of(path); };
  show(finding.location.file);
  show(finding.scope.file);
  show(finding.wait.file);
  show(finding.hot_call.file);
  for (Location& call : finding.calls) show(call.file);
  for (PathStep& step : finding.path) show(step.location.file);
  for (PathStep& step : finding.evidence) show(step.location.file);
  for (Edit& edit : finding.fix.edits) show(edit.file);
}

// Why the configured rules or levels exclude the finding; empty: they do not.
std::string why_left_out(const Finding& finding, const std::map<std::string, int>& rules) {
  const auto rule = rules.find(finding.rule);
  if (rule == rules.end())
    return "the rule is turned off (--rules or --level, or `rules` or `level` in .syncsniff.yaml)";
  if (finding.level > rule->second)
    return "a finding of level " + std::to_string(finding.level) + ", and the limit is " + std::to_string(rule->second);
  return "";
}

bool covers_line(const Location& requested, const Location& place) {
  return !requested.file.empty() && place.line <= requested.line &&
         requested.line <= std::max(place.line, place.end_line) && canonical(requested.file) == canonical(place.file);
}

// Only programs that contain one of these files can have a finding that is reported. Empty: all may have one. That is
// so without `by_path` (for edits), since an edit is only known to fit a header's code if all units that include the
// header were looked at, and for --why-not, whose answer may come from anywhere.
std::set<std::string> files_of_interest(const AnalysisOptions& options, const Plan& plan) {
  if (!options.by_path || !options.why_not.file.empty()) return {};
  if (!plan.requested.empty() || options.changed.empty()) return plan.requested;
  return {options.changed.begin(), options.changed.end()};
}

// The requested files, and the headers that only requested units include: no other unit compiles their code. A header
// that other units include, too, is reported only if it is named itself.
std::set<std::string> with_own_headers(const std::set<std::string>& requested,
                                       const std::vector<facts::UnitFacts>& units) {
  std::set<std::string> files = requested, of_others;
  for (const facts::UnitFacts& unit : units) {
    std::set<std::string>& to = requested.count(unit.file) ? files : of_others;
    for (const facts::SourceContent& source : unit.sources) to.insert(source.file);
  }
  std::erase_if(files, [&](const std::string& file) { return of_others.count(file) && !requested.count(file); });
  return files;
}

// Whether the file is foreign code. The working directory counts as the user's own, whatever the names of the folders
// above it.
bool is_others(const std::string& file) {
  static const fs::path kHere = canonical("."), kRoot = repository_root(kHere);
  if (is_below(file, kHere)) return facts::is_foreign(path_below(kHere, file));
  return is_below(file, kRoot) && facts::is_foreign(path_below(kRoot, file));
}

// True for a finding in one of the requested files, or caused by one: a helper in another file that waits becomes a
// stall when a requested file calls it in a loop.
bool wanted(const Finding& finding, const AnalysisOptions& options, const std::set<std::string>& requested,
            RememberedPaths& canonical_paths) {
  if (requested.empty() || requested.count(canonical_paths.of(finding.location.file))) return true;
  // For a wait reported at the call of a wrapper, the file with the wait itself counts, too.
  if (finding.wait.line && requested.count(canonical_paths.of(finding.wait.file))) return true;
  return options.by_path && std::any_of(finding.path.begin(), finding.path.end(), [&](const PathStep& step) {
           return requested.count(canonical_paths.of(step.location.file)) != 0;
         });
}

// Without the advice to reinstall syncsniff, which would not help for a file that the user wrote.
template <class Table>
void add_own(Table& table, const std::vector<std::string>& files) {
  try {
    for (const std::string& file : files) table.add_file(file);
  } catch (const DataError& error) {
    throw std::runtime_error(std::string(error.what()) + "; correct the file");
  }
}

Words load_words(const std::string& data, const std::vector<std::string>& files) {
  Words words = Words::load(data + "/rules/words.yaml");
  add_own(words, files);
  return words;
}

ApiTable load_apis(const std::string& data, const std::vector<std::string>& files) {
  ApiTable apis = ApiTable::load(data + "/rules/apis");
  add_own(apis, files);
  return apis;
}

Knowledge load_knowledge(const AnalysisOptions& options, const std::string& data) {
  Knowledge known{load_apis(data, options.api_facts),
                  with_thresholds(load_rules(data + "/rules/checks"), options.thresholds),
                  load_words(data, options.words)};
  for (const char* needed :
       {"cudaDeviceSynchronize", "cuCtxSynchronize", "cublasSgemm", "at::Tensor::item", "malloc"}) {
    if (!known.apis.find(needed)) {
      throw std::runtime_error(data + "/rules/apis: no entry for '" + needed +
                               "'; a table is missing: install syncsniff again");
    }
  }
  return known;
}

// Links and checks the units and, if texts from before a change are given, the state before it, too.
Judgement judge_units(std::vector<facts::UnitFacts>& units, const Knowledge& known, const Plan& plan,
                      const AnalysisOptions& options, const ReadOptions& reading) {
  JudgeOptions judging;
  judging.jobs = reading.jobs;
  judging.limits = options.limits;
  if (!reading.of_interest.empty()) judging.of_interest = units_with(reading.of_interest, units);
  const std::string checking = units_line(units.size(), units.size(), 0, 0, {});
  if (reading.progress) judging.tick = [&] { reading.progress->show(checking, "checking the program"); };
  judging.why_not_line = options.why_not.line;
  if (!options.why_not.file.empty()) judging.why_not_file = canonical(options.why_not.file);
  if (options.before.empty()) return judge(units, known, judging);
  UnitsBefore before = read_units_before(options.before, options.renamed, plan.commands, units, reading, known.apis);
  judging.go_back = [&](std::vector<facts::UnitFacts>& all) {
    for (size_t i = 0; i < before.which.size(); ++i) all[before.which[i]] = std::move(before.units[i]);
  };
  Judgement judgement = judge(units, known, judging);
  mark_old(judgement);
  return judgement;
}

std::vector<UnitStatus> statuses_of(const std::vector<facts::UnitFacts>& units,
                                    const std::set<std::string>& requested) {
  std::vector<UnitStatus> statuses;
  for (const facts::UnitFacts& unit : units) {
    UnitStatus status = status_of(unit);
    // What an unread unit does to the requested files is unknown, so it is reported even if it was not requested.
    if (requested.empty() || requested.count(unit.file) || status.status == "failed")
      statuses.push_back(std::move(status));
  }
  return statuses;
}

// Moves the findings that the options ask for into the document.
void add_findings(std::vector<Finding>& findings, const std::vector<facts::UnitFacts>& units, const Plan& plan,
                  const AnalysisOptions& options, const Knowledge& known, FindingsDocument& document) {
  const std::map<std::string, uint64_t> hashes = content_hashes(units);
  const std::map<std::string, int> rules = chosen_rules({options.rules, options.max_level}, known.rules);
  RememberedPaths shown_paths(shown), canonical_paths(canonical);
  // For edits, `by_path` is off, and only files that were named are edited.
  const bool with_headers = options.by_path && !plan.requested.empty();
  const std::set<std::string> reported = with_headers ? with_own_headers(plan.requested, units) : plan.requested;
  size_t in_other_files = 0;  // findings in files that the configuration excludes
  size_t in_foreign_files = 0;
  for (Finding& finding : findings) {
    std::string why = why_left_out(finding, rules);
    if (why.empty() && !options.reported_files.keeps(canonical_paths.of(finding.location.file))) {
      why = "only-files or exclude-files of .syncsniff.yaml leave this file out";
      ++in_other_files;
    }
    if (why.empty() && reported.empty() && is_others(canonical_paths.of(finding.location.file))) {
      why = "other people's code, in a folder such as third_party, is reported where it is named among the files";
      ++in_foreign_files;
    }
    if (!why.empty()) {
      show_relative(finding, shown_paths);
      if (covers_line(options.why_not, finding.location) || covers_line(options.why_not, finding.wait))
        document.answers.push_back({finding.location, "no " + finding.rule + ": " + why});
      continue;
    }
    if (!wanted(finding, options, reported, canonical_paths)) continue;
    for (const Edit& edit : finding.fix.edits) {
      if (const auto hash = hashes.find(canonical_paths.of(edit.file)); hash != hashes.end())
        document.contents[shown(edit.file)] = hash->second;
    }
    show_relative(finding, shown_paths);
    document.findings.push_back(std::move(finding));
  }
  for (std::string& line : note_on_left_out(in_other_files, in_foreign_files))
    document.notes.push_back(std::move(line));
}

}  // namespace

FindingsDocument analyse(const AnalysisOptions& options) {
  const std::string data = data_directory();
  const Knowledge known = load_knowledge(options, data);
  const Plan plan = make_plan(options);
  ProgressLine progress(options.progress ? STDERR_FILENO : -1);
  ReadOptions reading = read_options(options, stamp_of(data + "/rules/apis", options.api_facts));
  reading.progress = options.progress ? &progress : nullptr;
  reading.of_interest = files_of_interest(options, plan);
  KeptUnits kept_units;
  if (options.at_commit) {
    reading.kept_units = &kept_units;
    reading.other_state = options.before;
  }
  // Never freed, since the process ends soon, and freeing the facts of 2,000 units took 5 % of the samples of a run.
  static std::vector<facts::UnitFacts>& units = *new std::vector<facts::UnitFacts>;
  units = read_units(plan.commands, reading, known.apis);
  Judgement judgement = judge_units(units, known, plan, options, reading);

  FindingsDocument document;
  document.fetched = plan.fetched;
  document.no_database = plan.no_database;
  document.notes = notes_on(plan, units, options.reported_files, reading.cache_directory);
  for (std::string& line : note_on_kept_units(kept_units, units.size())) document.notes.push_back(std::move(line));
  document.requested.assign(plan.requested.begin(), plan.requested.end());
  document.rules_left_out = std::move(judgement.rules_left_out);
  document.units = statuses_of(units, plan.requested);
  for (PathStep& answer : judgement.answers) {
    answer.location.file = shown(answer.location.file);
    document.answers.push_back(std::move(answer));
  }
  add_findings(judgement.findings, units, plan, options, known, document);
  return document;
}

std::string facts_text(const AnalysisOptions& options) {
  const std::string data = data_directory();
  const ApiTable apis = load_apis(data, options.api_facts);
  Plan plan = make_plan(options);
  // The text of a unit does not depend on other units.
  std::erase_if(plan.commands, [&](const frontend::CompileCommand& command) {
    return !plan.requested.empty() && !plan.requested.count(unit_path(command));
  });
  std::string out;
  for (const facts::UnitFacts& unit :
       read_units(plan.commands, read_options(options, stamp_of(data + "/rules/apis", options.api_facts)), apis)) {
    out += facts::text_of(unit);
  }
  return out;
}

}  // namespace syncsniff
