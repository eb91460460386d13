#include "analyzer/plan.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <stdexcept>

#include "analyzer/analysis.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/fetched.h"
#include "analyzer/folder_sources.h"
#include "analyzer/folders.h"
#include "analyzer/paths.h"

namespace syncsniff {
namespace fs = std::filesystem;
namespace {

// Whether both commands make the compiler read the same source. Output files and similar options make no difference.
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

// Takes the folder's units that the database compiles, or all of them if it compiles none. Headers are read with the
// units that include them.
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

// Without a database that names them, all sources of the repository are read, since a change may cause findings in
// files that it does not touch.
void take_repository(Plan& plan, KnownCommands& known) {
  constexpr size_t kMostUnits = 200;
  const fs::path root = repository_root(canonical("."));
  const FolderSources sources = sources_below(root.string());
  std::vector<std::string> units;
  std::ranges::copy_if(sources.units, std::back_inserter(units),
                       [&](const std::string& unit) { return !facts::is_foreign(path_below(root, unit)); });
  if (units.size() > kMostUnits)
    throw std::runtime_error("no compile_commands.json, and " + std::to_string(units.size()) +
                             " sources that would be read with default options; make it with `cmake "
                             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON` or `bear -- make -B`, or name it with -p");
  for (const std::string& unit : units) take_file(unit, {}, known, plan);
}

// A search for a database may find one of another project: in a folder above, or in a build folder beside the project.
// It is used only if it compiles one of the requested files, or another file of the same project.
bool belongs_here(const std::vector<frontend::CompileCommand>& database, const std::string& found_at,
                  const std::vector<std::string>& files) {
  std::vector<std::string> units;
  for (const auto& command : database) units.push_back(unit_path(command));
  const auto compiles_some_of = [&](const fs::path& folder) {
    return std::ranges::any_of(units, [&](const std::string& unit) { return is_below(unit, folder); });
  };
  const fs::path here = canonical(".");
  const fs::path beside = fs::path(found_at).parent_path();
  if (files.empty())
    return units.empty() || compiles_some_of(repository_root(here)) || beside == here || beside.parent_path() == here;
  return std::ranges::any_of(files, [&](const std::string& name) {
    const std::string file = canonical(name);
    if (std::ranges::find(units, file) != units.end()) return true;
    std::error_code none;
    const fs::path folder = fs::is_directory(file, none) ? fs::path(file) : fs::path(file).parent_path();
    return compiles_some_of(repository_root(folder)) || (is_below(file, here) && compiles_some_of(here));
  });
}

}  // namespace

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
  if (options.database.empty() && !plan.no_database) {
    std::vector<std::string> files = options.files;
    files.insert(files.end(), options.also.begin(), options.also.end());
    if (!belongs_here(database, found_at, files)) {
      if (files.empty())
        throw std::runtime_error(shown(found_at) +
                                 ": compiles no source of this folder or its repository; if it is the "
                                 "right one, name it with -p");
      plan.no_database = true;
      plan.foreign_database = shown(found_at);
      database.clear();
    }
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
  if (plan.no_database && options.files.empty()) take_repository(plan, known);
  for (frontend::CompileCommand& command : plan.commands)
    command.arguments.insert(command.arguments.end(), options.extra_arguments.begin(), options.extra_arguments.end());
  return plan;
}

}  // namespace syncsniff
