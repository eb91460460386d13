#include "analyzer/analysis.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "analyzer/before_change.h"
#include "analyzer/content_hash.h"
#include "analyzer/facts/cache.h"
#include "analyzer/facts/cache_folder.h"
#include "analyzer/facts/facts_text.h"
#include "analyzer/fetched.h"
#include "analyzer/folder_sources.h"
#include "analyzer/frontend/command.h"
#include "analyzer/frontend/language.h"
#include "analyzer/judge.h"
#include "analyzer/paths.h"
#include "analyzer/progress_line.h"
#include "analyzer/read_units.h"
#include "analyzer/remembered_paths.h"
#include "analyzer/unread_sources.h"
#include "rules/api_facts.h"
#include "rules/data_error.h"
#include "rules/regular_file.h"
#include "rules/rule.h"
#include "rules/rule_choice.h"

namespace syncsniff {

namespace {

namespace fs = std::filesystem;

// All units of the database are read, since a program is judged as a whole; findings are reported only for the
// requested files.
struct Plan {
  std::vector<frontend::CompileCommand> commands;
  std::set<std::string> requested;  // canonical; empty: all
  std::set<std::string> fetched;    // as shown to users; files in a path below _deps
  std::set<std::string> several;    // canonical; files that the database compiles with more than one command
  bool no_database = false;
};

// Do both commands make the compiler read the same source? Output files and similar options make no difference.
bool read_alike(const frontend::CompileCommand& a, const frontend::CompileCommand& b) {
  const auto read = [](const std::vector<std::string>& words) {
    std::vector<std::string> kept;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "-o" || words[i] == "-MF" || words[i] == "-MT" || words[i] == "-MQ")
        ++i;
      else
        kept.push_back(words[i]);
    }
    return kept;
  };
  return a.directory == b.directory && read(a.arguments) == read(b.arguments);
}

using KnownCommands = std::map<std::string, const frontend::CompileCommand*>;

void take_commands(const std::vector<frontend::CompileCommand>& database, Plan& plan, KnownCommands& known) {
  for (const bool readable : {true, false}) {  // an invalid entry must not replace a valid one
    for (const auto& command : database) {
      if (command.problem.empty() != readable) continue;
      const std::string path = unit_path(command);
      if (is_below_fetched(given_path(command))) plan.fetched.insert(shown(path));
      const auto [first, fresh] = known.emplace(path, &command);
      if (fresh)
        plan.commands.push_back(command);
      else if (readable && !read_alike(*first->second, command))
        plan.several.insert(path);
    }
  }
}

void take_file(const std::string& file, const std::vector<frontend::CompileCommand>& database, KnownCommands& known,
               Plan& plan) {
  if (known.emplace(canonical(file), nullptr).second)
    plan.commands.push_back(frontend::guess_command(canonical(file), database));
}

// The folder's units that the database compiles; all of them where it compiles none. Headers are read with the units
// that include them.
void take_folder(const std::string& folder, const std::vector<frontend::CompileCommand>& database, KnownCommands& known,
                 Plan& plan) {
  const FolderSources sources = sources_below(folder);
  const bool compiled = std::any_of(sources.units.begin(), sources.units.end(),
                                    [&](const std::string& unit) { return known.count(unit) != 0; });
  for (const std::string& unit : sources.units) {
    if (compiled && known.count(unit) == 0) continue;
    plan.requested.insert(unit);
    take_file(unit, database, known, plan);
  }
  plan.requested.insert(sources.headers.begin(), sources.headers.end());
}

Plan make_plan(const AnalysisOptions& options) {
  Plan plan;
  std::string found_at;
  std::vector<frontend::CompileCommand> database;
  try {
    database = frontend::load_compile_database(options.database, &found_at);
  } catch (const std::exception&) {
    if (!options.database.empty() || (options.files.empty() && options.also.empty())) throw;
    plan.no_database = true;
  }
  KnownCommands known;
  take_commands(database, plan, known);
  for (const std::string& file : options.files) {
    std::error_code error;
    if (!fs::exists(file, error)) throw std::runtime_error(file + ": no such file");
    if (fs::is_directory(file, error)) {
      take_folder(file, database, known, plan);
      continue;
    }
    plan.requested.insert(canonical(file));
    if (is_below_fetched(file)) plan.fetched.insert(shown(file));
    take_file(file, database, known, plan);
  }
  for (const std::string& file : options.also) take_file(file, database, known, plan);
  for (frontend::CompileCommand& command : plan.commands)
    command.arguments.insert(command.arguments.end(), options.extra_arguments.begin(), options.extra_arguments.end());
  return plan;
}

// One line, or none.
std::vector<std::string> note_on_several(const Plan& plan) {
  std::vector<std::string> files;
  for (const std::string& file : plan.several)
    if (plan.requested.empty() || plan.requested.count(file)) files.push_back(shown(file));
  if (files.empty()) return {};
  if (files.size() == 1) return {files[0] + " has several commands in the database; the first of them was read"};
  return {std::to_string(files.size()) + " files have several commands in the database (" + files[0] +
          " is one); the first of each was read"};
}

// One line, or none. A file that the user names is a unit; only headers below a folder may be none.
std::vector<std::string> note_on_headers(const Plan& plan, const std::vector<facts::UnitFacts>& units) {
  std::set<std::string> unread = plan.requested;
  if (unread.empty()) return {};
  for (const facts::UnitFacts& unit : units) {
    unread.erase(unit.file);
    for (const facts::SourceContent& source : unit.sources) unread.erase(source.file);
  }
  if (unread.empty()) return {};
  const std::string first = shown(*unread.begin());
  if (unread.size() == 1) return {first + " was not read: no unit includes it; name it to read it alone"};
  return {std::to_string(unread.size()) + " headers were not read: no unit includes them (" + first +
          " is one); name one to read it alone"};
}

// One line, or none. Without a database another warning says that code in other files is unknown.
std::vector<std::string> note_on_unread_sources(const Plan& plan, const std::vector<facts::UnitFacts>& units) {
  if (plan.no_database) return {};
  const std::vector<UnreadSource> unread = unread_sources(units);
  if (unread.empty()) return {};
  const UnreadSource& first = unread.front();
  return {(unread.size() == 1 ? shown(first.source) + " is in no command of the database, and "
                              : std::to_string(unread.size()) + " sources are in no command of the database (" +
                                    shown(first.source) + " is one), and ") +
          shown(first.by) + " calls " + first.called +
          "(): what such functions do is not known, so findings may be missing; record the whole build, as with "
          "`bear -- make -B`"};
}

// A line for each library.
std::vector<std::string> notes_on_libraries(const std::vector<facts::UnitFacts>& units) {
  std::map<std::string, facts::UnreadLibrary> largest;
  for (const facts::UnitFacts& unit : units) {
    for (const facts::UnreadLibrary& library : unit.unread_libraries) {
      facts::UnreadLibrary& known = largest[library.folder.str()];
      if (known.headers < library.headers) known = library;
    }
  }
  std::vector<std::string> notes;
  for (const auto& [folder, library] : largest)
    notes.push_back(shown(folder) + " calls CUDA and is not read: it is large (" + std::to_string(library.headers) +
                    " headers, " + std::to_string(library.bytes >> 10) +
                    " KiB in one unit), so findings at calls of its functions may be missing; say what those do in a "
                    "file that `api-facts` of .syncsniff.yaml names");
  return notes;
}

// A line for each of the patterns that matches nothing.
std::vector<std::string> notes_on_patterns(const char* key, const std::vector<PathGlob>& patterns,
                                           const FileFilter& filter, const std::vector<facts::UnitFacts>& units) {
  std::vector<std::string> notes;
  for (const PathGlob& pattern : patterns) {
    const bool matches = std::any_of(units.begin(), units.end(), [&](const facts::UnitFacts& unit) {
      return filter.matches(pattern, unit.file) ||
             std::any_of(unit.sources.begin(), unit.sources.end(),
                         [&](const facts::SourceContent& source) { return filter.matches(pattern, source.file); });
    });
    if (!matches)
      notes.push_back(std::string(key) + " of .syncsniff.yaml: '" + pattern.text() + "' matches no file that was read");
  }
  return notes;
}

// One line, or none.
std::vector<std::string> note_on_cache(const std::string& folder) {
  if (folder.empty() || facts::can_write_cache(folder)) return {};
  return {folder +
          ": this cache folder cannot be written, so every run parses all units again; set XDG_CACHE_HOME to "
          "a folder that can be written, or give --no-cache"};
}

// One line, or none: what is configured away is not forgotten.
std::vector<std::string> note_on_left_out(size_t findings) {
  if (findings == 0) return {};
  return {std::to_string(findings) + (findings == 1 ? " finding is" : " findings are") +
          " in files that only-files or exclude-files of .syncsniff.yaml leave out"};
}

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

// The texts of all sources that were read completely and once. A file that changed between two units, which then saw
// different texts, counts as not read.
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

// Findings name few files many times, and each look at a path asks the file system for every folder above it.
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

// Programs without one of these files cannot have a finding that is reported. Empty: all may have one. An edit is only
// known to fit a header's code where all units that include the header were looked at, and an answer to --why-not may
// come from anywhere.
std::set<std::string> files_of_interest(const AnalysisOptions& options, const Plan& plan) {
  if (!options.by_path || !options.why_not.file.empty()) return {};
  if (!plan.requested.empty() || options.changed.empty()) return plan.requested;
  return {options.changed.begin(), options.changed.end()};
}

// The requested files, and the headers that only requested units include: their code is compiled with no other. A
// header that other units include, too, is reported when it is named itself.
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

// True for a finding in one of the requested files, or caused by one: an old helper that waits becomes a stall when a
// requested file calls it in a loop.
bool wanted(const Finding& finding, const AnalysisOptions& options, const std::set<std::string>& requested,
            RememberedPaths& canonical_paths) {
  if (requested.empty() || requested.count(canonical_paths.of(finding.location.file))) return true;
  // For a wait reported at the call of a wrapper, the file that holds the wait itself counts, too.
  if (finding.wait.line && requested.count(canonical_paths.of(finding.wait.file))) return true;
  return options.by_path && std::any_of(finding.path.begin(), finding.path.end(), [&](const PathStep& step) {
           return requested.count(canonical_paths.of(step.location.file)) != 0;
         });
}

}  // namespace

namespace {

// For a file that the user wrote, the advice to reinstall syncsniff would not help.
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

}  // namespace

FindingsDocument analyse(const AnalysisOptions& options) {
  const std::string data = data_directory();
  const Knowledge known{load_apis(data, options.api_facts),
                        with_thresholds(load_rules(data + "/rules/checks"), options.thresholds),
                        load_words(data, options.words)};
  for (const char* needed :
       {"cudaDeviceSynchronize", "cuCtxSynchronize", "cublasSgemm", "at::Tensor::item", "malloc"}) {
    if (!known.apis.find(needed)) {
      throw std::runtime_error(data + "/rules/apis: no entry for '" + needed +
                               "'; a table is missing: install syncsniff again");
    }
  }
  const Plan plan = make_plan(options);
  ProgressLine progress(options.progress ? STDERR_FILENO : -1);
  ReadOptions reading = read_options(options, stamp_of(data + "/rules/apis", options.api_facts));
  reading.progress = options.progress ? &progress : nullptr;
  reading.of_interest = files_of_interest(options, plan);
  // Never freed: the process ends soon, and to free the facts of 2,000 units took 5 % of the samples of a run.
  static std::vector<facts::UnitFacts>& units = *new std::vector<facts::UnitFacts>;
  units = read_units(plan.commands, reading, known.apis);
  JudgeOptions judging;
  judging.jobs = reading.jobs;
  judging.limits = options.limits;
  if (!reading.of_interest.empty()) judging.of_interest = units_with(reading.of_interest, units);
  const std::string checking = units_line(units.size(), units.size(), 0, 0, {});
  if (options.progress) judging.tick = [&] { progress.show(checking, "checking the program"); };
  judging.why_not_line = options.why_not.line;
  if (!options.why_not.file.empty()) judging.why_not_file = canonical(options.why_not.file);
  const bool compares = !options.before.empty();
  UnitsBefore before;
  if (compares) before = read_units_before(options.before, plan.commands, units, reading, known.apis);
  if (compares && before.readable) {
    judging.go_back = [&](std::vector<facts::UnitFacts>& all) {
      for (size_t i = 0; i < before.which.size(); ++i) all[before.which[i]] = std::move(before.units[i]);
    };
  }
  Judgement judgement = judge(units, known, judging);
  if (compares) mark_old(judgement);

  FindingsDocument document;
  document.fetched = plan.fetched;
  document.no_database = plan.no_database;
  const auto note = [&](std::vector<std::string> lines) {
    std::move(lines.begin(), lines.end(), std::back_inserter(document.notes));
  };
  note(note_on_several(plan));
  note(note_on_cache(reading.cache_directory));
  note(note_on_headers(plan, units));
  note(note_on_unread_sources(plan, units));
  note(notes_on_libraries(units));
  const FileFilter& filter = options.reported_files;
  note(notes_on_patterns("only-files", filter.only, filter, units));  // with a misspelt one no finding is left
  // Of some files of a program, few need to match what is left out.
  if (plan.requested.empty() && !plan.no_database)
    note(notes_on_patterns("exclude-files", filter.exclude, filter, units));
  document.requested.assign(plan.requested.begin(), plan.requested.end());
  document.rules_left_out = std::move(judgement.rules_left_out);
  for (const facts::UnitFacts& unit : units) {
    if (!plan.requested.empty() && !plan.requested.count(unit.file)) {
      // What this unit does to the requested files is now unknown, so it is named.
      if (UnitStatus other = status_of(unit); other.status == "failed") document.units.push_back(std::move(other));
      continue;
    }
    document.units.push_back(status_of(unit));
  }
  const std::map<std::string, uint64_t> hashes = content_hashes(units);
  const std::map<std::string, int> rules = chosen_rules({options.rules, options.max_level}, known.rules);
  for (PathStep& answer : judgement.answers) {
    answer.location.file = shown(answer.location.file);
    document.answers.push_back(std::move(answer));
  }
  RememberedPaths shown_paths(shown), canonical_paths(canonical);
  // Nothing is edited in a file that was not named, and there `by_path` is off.
  const bool with_headers = options.by_path && !plan.requested.empty();
  const std::set<std::string> reported = with_headers ? with_own_headers(plan.requested, units) : plan.requested;
  size_t in_other_files = 0;  // than the configuration wants
  for (Finding& finding : judgement.findings) {
    std::string why = why_left_out(finding, rules);
    if (why.empty() && !options.reported_files.keeps(canonical_paths.of(finding.location.file))) {
      why = "only-files or exclude-files of .syncsniff.yaml leave this file out";
      ++in_other_files;
    }
    if (!why.empty()) {
      show_relative(finding, shown_paths);
      if (covers_line(options.why_not, finding.location) || covers_line(options.why_not, finding.wait))
        document.answers.push_back({finding.location, "no " + finding.rule + ": " + why});
      continue;
    }
    if (!wanted(finding, options, reported, canonical_paths)) continue;
    for (const Edit& edit : finding.fix.edits) {
      if (const auto known = hashes.find(canonical_paths.of(edit.file)); known != hashes.end())
        document.contents[shown(edit.file)] = known->second;
    }
    show_relative(finding, shown_paths);
    document.findings.push_back(std::move(finding));
  }
  note(note_on_left_out(in_other_files));
  return document;
}

std::string facts_text(const AnalysisOptions& options) {
  const std::string data = data_directory();
  const ApiTable apis = load_apis(data, options.api_facts);
  Plan plan = make_plan(options);
  // What is printed of a unit depends on no other unit.
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
