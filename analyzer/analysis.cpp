#include "analyzer/analysis.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

#include "analyzer/checks/check.h"
#include "analyzer/checks/variants.h"
#include "analyzer/facts/cache.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/facts/unit.h"
#include "analyzer/frontend/command.h"
#include "analyzer/program/program.h"
#include "rules/api_facts.h"
#include "rules/rule.h"

namespace syncsniff {

namespace {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path).string() : out.string();
}

std::string shown(const std::string& path) {
  if (path.empty()) return path;
  std::error_code error;
  static const std::string here = canonical(fs::current_path().string()) + "/";
  const std::string whole = canonical(path);
  return whole.compare(0, here.size(), here) == 0 ? whole.substr(here.size()) : whole;
}

std::string absolute_in(const frontend::CompileCommand& command) {
  const fs::path file(command.file);
  return canonical(file.is_absolute() ? file.string() : (fs::path(command.directory) / file).string());
}

// Units to read: all of the database, for a program is judged whole; those asked for are what is reported on.
struct Plan {
  std::vector<frontend::CompileCommand> commands;
  std::set<std::string> asked;  // canonical; empty: all
  bool no_database = false;
};

Plan make_plan(const AnalysisOptions& options) {
  Plan plan;
  std::string found_at;
  std::vector<frontend::CompileCommand> database;
  try {
    database = frontend::load_compile_database(options.database, &found_at);
  } catch (const std::exception&) {
    if (!options.database.empty() || options.files.empty()) throw;
    plan.no_database = true;
  }
  std::set<std::string> known;
  for (const auto& command : database) {
    if (known.insert(absolute_in(command)).second) plan.commands.push_back(command);
  }
  for (const std::string& file : options.files) {
    std::error_code error;
    if (!fs::exists(file, error)) throw std::runtime_error(file + ": no such file");
    plan.asked.insert(canonical(file));
    if (known.count(canonical(file))) continue;
    plan.commands.push_back(frontend::guess_command(canonical(file), database));
    known.insert(canonical(file));
  }
  return plan;
}

UnitStatus status_of(const facts::UnitFacts& unit) {
  UnitStatus status{shown(unit.file), "analysed", ""};
  if (!unit.errors.empty()) {
    status.why = unit.errors.front();
    if (unit.error_count > 1) status.why += " (and " + std::to_string(unit.error_count - 1) + " more errors)";
    status.status = unit.functions.empty() ? "failed" : "partial";
  }
  return status;
}

// Sizes and times of the tables: facts are found with them.
std::string stamp_of(const std::string& folder) {
  std::string stamp;
  std::error_code error;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.insert(entry.path());
  for (const fs::path& file : files) {
    stamp += file.filename().string() + " " + std::to_string(fs::file_size(file, error)) + " " +
             std::to_string(fs::last_write_time(file, error).time_since_epoch().count()) + "\n";
  }
  return stamp;
}

std::vector<facts::UnitFacts> read_units(const Plan& plan, const AnalysisOptions& options, const ApiTable& apis,
                                         const std::string& tables) {
  const frontend::Toolchain toolchain = frontend::find_toolchain();
  std::vector<facts::UnitFacts> units(plan.commands.size());
  std::vector<std::string> all_files;
  for (const auto& command : plan.commands) all_files.push_back(absolute_in(command));
  const facts::FactsCache cache(options.use_cache ? facts::default_cache_directory() : "", tables);
  std::atomic<size_t> next{0};
  std::mutex output;
  const auto work = [&] {
    for (size_t i; (i = next++) < plan.commands.size();) {
      const frontend::CompileCommand& command = plan.commands[i];
      const std::string file = absolute_in(command);
      try {
        const frontend::UnitCommand unit = frontend::translate(command, toolchain);
        if (options.verbose) {
          std::lock_guard lock(output);
          std::cerr << "syncsniff: reading " << shown(file) << "\n";
          for (const std::string& ignored : unit.ignored) std::cerr << "  ignored option: " << ignored << "\n";
        }
        if (auto known = cache.load(unit)) {
          units[i] = std::move(*known);
          continue;
        }
        std::vector<std::string> dependencies;
        units[i] = facts::read_unit(unit, facts::project_root(file, all_files), apis, &dependencies);
        cache.store(unit, units[i], dependencies);
      } catch (const std::exception& error) {
        units[i].errors.push_back(error.what());
        units[i].fatal = true;
        units[i].error_count = 1;
      }
      units[i].file = file;
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned jobs = std::min<unsigned>(options.jobs > 0 ? options.jobs : cores, std::max<size_t>(1, units.size()));
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return units;
}

void show_relative(Finding& finding) {
  finding.location.file = shown(finding.location.file);
  finding.scope.file = shown(finding.scope.file);
  finding.wait.file = shown(finding.wait.file);
  for (PathStep& step : finding.path) step.location.file = shown(step.location.file);
  for (PathStep& step : finding.evidence) step.location.file = shown(step.location.file);
  for (Edit& edit : finding.fix.edits) edit.file = shown(edit.file);
}

// `reported_files`: those that were asked for, and the headers of those that are units.
bool wanted(const Finding& finding, const AnalysisOptions& options, const std::set<std::string>& asked,
            const std::set<std::string>& reported_files) {
  if (finding.level > options.max_level) return false;
  if (!options.rules.empty() &&
      std::find(options.rules.begin(), options.rules.end(), finding.rule) == options.rules.end()) {
    return false;
  }
  if (reported_files.empty() || reported_files.count(canonical(finding.location.file))) return true;
  // Reported at the call of a wrapper: the file that holds the wait itself counts as well.
  if (finding.wait.line && reported_files.count(canonical(finding.wait.file))) return true;
  // So does the one that holds the loop, or a call on the way: a helper that waited for long becomes a stall by that.
  return options.by_path && std::any_of(finding.path.begin(), finding.path.end(), [&](const PathStep& step) {
           return asked.count(canonical(step.location.file)) != 0;
         });
}

}  // namespace

FindingsDocument analyse(const AnalysisOptions& options) {
  const std::string data = data_directory();
  const ApiTable apis = ApiTable::load(data + "/rules/apis");
  const auto rules = load_rules(data + "/rules/checks");
  for (const char* needed :
       {"cudaDeviceSynchronize", "cuCtxSynchronize", "cublasSgemm", "at::Tensor::item", "malloc"}) {
    if (!apis.find(needed)) {
      throw std::runtime_error(data + "/rules/apis: nothing is said of '" + needed +
                               "'; a table is missing: install syncsniff again");
    }
  }
  const Plan plan = make_plan(options);
  std::vector<facts::UnitFacts> units = read_units(plan, options, apis, stamp_of(data + "/rules/apis"));

  FindingsDocument document;
  // A finding in a header belongs to the units that were asked for and include it.
  std::set<std::string> reported_files = plan.asked;
  for (const facts::UnitFacts& unit : units) {
    if (!plan.asked.empty() && !plan.asked.count(unit.file)) continue;
    document.units.push_back(status_of(unit));
    UnitStatus& status = document.units.back();
    if (plan.no_database && status.why.empty())
      status.why = "no compile_commands.json: read alone, so what other files do is not seen; give -p";
    if (plan.asked.empty()) continue;
    for (const facts::Function& f : unit.functions) reported_files.insert(canonical(f.place.file));
  }
  checks::Reporter reporter(rules);
  for (const auto& program : program::link_programs(units, apis)) {
    for (const checks::CheckEntry& check : checks::all_checks()) check.run(*program, reporter);
  }
  std::vector<Finding> findings = reporter.finish();
  checks::leave_variants_to_a_person(units, findings);
  for (Finding& finding : findings) {
    if (!wanted(finding, options, plan.asked, reported_files)) continue;
    show_relative(finding);
    document.findings.push_back(std::move(finding));
  }
  return document;
}

}  // namespace syncsniff
