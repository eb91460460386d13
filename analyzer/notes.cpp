#include "analyzer/notes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "analyzer/facts/cache_folder.h"
#include "analyzer/paths.h"
#include "analyzer/unread_sources.h"

namespace syncsniff {
namespace {

std::vector<std::string> note_on_foreign_database(const Plan& plan) {
  if (plan.foreign_database.empty()) return {};
  return {plan.foreign_database +
          " compiles nothing of this project, and was not used; if it is the right one, name it with -p"};
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

// One line, or none. A file that the user names is read as a unit; only headers below a folder may not have been read.
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

// One line, or none. Without a database, another warning already says that code in other files is unknown.
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

// One line for each library.
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

// One line for each pattern that matches nothing.
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

}  // namespace

std::vector<std::string> notes_on(const Plan& plan, const std::vector<facts::UnitFacts>& units,
                                  const FileFilter& filter, const std::string& cache_folder) {
  std::vector<std::string> notes;
  const auto add = [&](std::vector<std::string> lines) {
    std::move(lines.begin(), lines.end(), std::back_inserter(notes));
  };
  add(note_on_foreign_database(plan));
  add(note_on_several(plan));
  add(note_on_cache(cache_folder));
  add(note_on_headers(plan, units));
  add(note_on_unread_sources(plan, units));
  add(notes_on_libraries(units));
  add(notes_on_patterns("only-files", filter.only, filter, units));  // if one is misspelt, no finding is left
  // If only some files were requested, a pattern that excludes none of them is no mistake.
  if (plan.requested.empty() && !plan.no_database)
    add(notes_on_patterns("exclude-files", filter.exclude, filter, units));
  return notes;
}

std::vector<std::string> note_on_kept_units(const KeptUnits& kept_units, size_t units) {
  if (kept_units.units == 0) return {};
  std::string note = std::to_string(kept_units.units) + " of " + std::to_string(units) +
                     " units were not read again, though headers of theirs have changed (" + shown(kept_units.file) +
                     "): their own code counts as it was, and what the headers define was read with other units";
  if (kept_units.functions != 0) note += ", but for " + std::to_string(kept_units.functions) + " functions";
  return {note + "; `syncsniff check` reads them all"};
}

// So that users remember what their configuration hides.
std::vector<std::string> note_on_left_out(size_t by_configuration, size_t foreign) {
  const auto findings = [](size_t count) {
    return std::to_string(count) + (count == 1 ? " finding is" : " findings are");
  };
  std::vector<std::string> notes;
  if (by_configuration != 0)
    notes.push_back(findings(by_configuration) +
                    " in files that only-files or exclude-files of .syncsniff.yaml leave out");
  if (foreign != 0)
    notes.push_back(findings(foreign) +
                    " in other people's code (a folder such as third_party, or fetched by CMake) and left out; name "
                    "the files or the folder to see them");
  return notes;
}

}  // namespace syncsniff
