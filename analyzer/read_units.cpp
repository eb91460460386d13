#include "analyzer/read_units.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include "analyzer/changed_names.h"
#include "analyzer/facts/archive.h"
#include "analyzer/facts/cache.h"
#include "analyzer/facts/cache_folder.h"
#include "analyzer/facts/outline.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/facts/unit.h"
#include "analyzer/paths.h"
#include "analyzer/program/grouping.h"
#include "analyzer/unit_preambles.h"
#include "rules/untrusted_text.h"

namespace syncsniff {
namespace {

using facts::UnitFacts;

// The facts of all units are in one process, in some three times their bytes. Those of a LibTorch trainer have 0.3 MB,
// of a unit with an expression-template library up to 216 MB.
constexpr size_t kMostFactsBytes = size_t{256} << 20;

// Shows the progress of parsing. If several units are being parsed, it names the one that was started first.
class ReadingProgress {
 public:
  ReadingProgress(ProgressLine* line, size_t all, size_t to_parse) : line_(line), all_(all), left_(to_parse) {}
  void starts(const std::string& file) { at_work_.push_back(file); }
  void ends(const std::string& file) {
    at_work_.erase(std::find(at_work_.begin(), at_work_.end(), file));
    ++parsed_, --left_;
  }
  void show() {
    if (!line_ || !line_->is_due()) return;
    line_->show(units_line(all_ - left_, all_, parsed_, left_, ProgressLine::Clock::now() - began_),
                at_work_.empty() ? "" : shown(at_work_.front()));
  }

 private:
  ProgressLine* const line_;
  const size_t all_;
  const ProgressLine::Clock::time_point began_ = ProgressLine::Clock::now();
  size_t parsed_ = 0, left_;
  std::vector<std::string> at_work_;
};

bool is_one_of(const std::set<std::string>& files, const UnitFacts& unit) {
  return files.count(unit.file) != 0 || std::any_of(unit.sources.begin(), unit.sources.end(),
                                                    [&](const auto& source) { return files.count(source.file) != 0; });
}

class UnitReader {
 public:
  UnitReader(const std::vector<frontend::CompileCommand>& commands, const ReadOptions& options, const ApiTable& apis)
      : commands_(commands),
        options_(options),
        apis_(apis),
        cache_(options.cache_directory, options.tables, options.texts, options.other_state),
        preambles_(options.cache_directory, options.texts, apis),
        toolchain_(frontend::find_toolchain()),
        units_(commands.size()),
        outlines_(options.of_interest.empty() ? 0 : commands.size()),
        to_parse_(commands.size()) {
    for (const auto& command : commands) files_.push_back(unit_path(command));
    // Most units share a folder with others, and each search upward looks for many files per folder.
    std::map<std::string, std::string> known;
    for (const std::string& file : files_) {
      const auto [root, fresh] = known.try_emplace(file.substr(0, file.rfind('/') + 1));
      if (fresh) root->second = facts::project_root(file, files_);
      roots_.push_back(root->second);
    }
  }

  std::vector<UnitFacts> read() {
    std::vector<size_t> all(commands_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    if (outlines_.empty())
      read_whole(all);
    else
      read_of_interest(all);
    facts::tidy_cache(options_.cache_directory);
    for (size_t i = 0; i < units_.size(); ++i) units_[i].file = files_[i];
    return std::move(units_);
  }

 private:
  void fail(size_t i, const std::string& why) { units_[i] = failed_unit(files_[i], why); }

  void read_whole(const std::vector<size_t>& which) {
    look_into_cache(which, [&](size_t i, const frontend::UnitCommand& unit) {
      auto known = cache_.load(unit, roots_[i]);
      if (known) units_[i] = std::move(*known);
      return known.has_value();
    });
    parse_the_rest();
  }

  // Reads the code of cached units only if a program of interest contains them.
  void read_of_interest(const std::vector<size_t>& all) {
    look_into_cache(all, [&](size_t i, const frontend::UnitCommand& unit) {
      outlines_[i] = cache_.load_outline(unit, roots_[i]);
      return outlines_[i].has_value();
    });
    parse_the_rest();
    std::vector<facts::UnitOutline> outlines;
    std::vector<bool> of_interest;
    for (const size_t i : all) {
      outlines.push_back(outlines_[i] ? *std::move(outlines_[i]) : facts::outline_of(units_[i]));
      outlines.back().rest.file = files_[i];
      of_interest.push_back(is_one_of(options_.of_interest, outlines.back().rest));
    }
    const std::vector<bool> needed = program::units_needed(program::group_units(outlines), of_interest);
    std::vector<size_t> without_code;
    for (const size_t i : all) {
      if (!outlines_[i]) continue;  // it has just been parsed
      if (needed[i])
        without_code.push_back(i);
      else
        units_[i] = std::move(outlines[i].rest);
    }
    read_whole(without_code);
  }

  // If `take` returns false, the unit is left to be parsed. Runs on threads, since nothing of Clang is called. They
  // have ended before the first worker is forked.
  void look_into_cache(const std::vector<size_t>& which,
                       const std::function<bool(size_t, const frontend::UnitCommand&)>& take) {
    on_threads(which.size(), [&](size_t n, bool on_main_thread) {
      const size_t i = which[n];
      if (on_main_thread) show_cached(n);
      try {
        frontend::UnitCommand unit = frontend::translate(commands_[i], toolchain_);
        if (options_.verbose && !named_[i]) tell(i, unit);
        if (!take(i, unit)) to_parse_[i] = std::move(unit);
      } catch (const std::exception& error) {
        fail(i, error.what());
      }
    });
  }

  // Calls `one` for each number below `count`, on as many threads as there may be jobs. `one` must not throw.
  void on_threads(size_t count, const std::function<void(size_t, bool on_main_thread)>& one) const {
    std::atomic<size_t> next{0};
    const auto work = [&](bool on_main_thread) {
      for (size_t n; (n = next++) < count;) one(n, on_main_thread);
    };
    std::vector<std::thread> threads;
    const size_t jobs = std::min<size_t>(std::max(1u, options_.jobs), count);
    try {
      for (size_t i = 1; i < jobs; ++i) threads.emplace_back(work, false);
    } catch (const std::system_error&) {  // a limit (ulimit -u, -v): the threads that exist do the work
    }
    work(true);
    for (std::thread& thread : threads) thread.join();
  }

  void tell(size_t i, const frontend::UnitCommand& unit) {
    std::lock_guard lock(output_);
    named_[i] = true;
    std::cerr << "syncsniff: reading " << printable(shown(files_[i])) << "\n";
    for (const std::string& ignored : unit.ignored) std::cerr << "  ignored option: " << printable(ignored) << "\n";
  }

  void parse_the_rest() {
    std::vector<size_t> open;
    for (size_t i = 0; i < to_parse_.size(); ++i)
      if (to_parse_[i]) open.push_back(i);
    if (options_.kept_units != nullptr && open.size() > kFewUnits) open = without_kept_units(open);
    if (options_.verbose && !std::exchange(counted_, true))
      std::cerr << "syncsniff: " << open.size() << " of " << files_.size() << " units to parse\n";
    for (const size_t i : open) preambles_.add(i, *to_parse_[i], roots_[i], cache_.has_seen(*to_parse_[i], roots_[i]));
    open = preambles_.order(open, options_.jobs);
    ReadingProgress progress(options_.progress, files_.size(), open.size());
    const std::function<void()> tick = [&] { progress.show(); };
    isolation::run_isolated(
        open.size(), options_.jobs, options_.limits, [&](size_t task) { return parse(open[task]); },
        [&](size_t task) { progress.starts(files_[open[task]]); },
        [&](size_t task, const isolation::Outcome& outcome) {
          const size_t i = open[task];
          progress.ends(files_[i]);
          facts::ByteReader reader(outcome.answer);
          if (!outcome.failure.empty())
            fail(i, outcome.failure);
          else if (reader(units_[i]); !reader.ok() || !reader.at_end())
            fail(i, "crashed (its answer was cut off)");
        },
        options_.progress ? tick : std::function<void()>());
    for (const size_t i : open) to_parse_[i].reset();
  }

  UnitsRead units_read(const std::set<std::string>& changed) const {
    UnitsRead read;
    for (size_t i = 0; i < units_.size(); ++i) {
      if (to_parse_[i]) continue;
      const facts::UnitOutline* const outline = i < outlines_.size() && outlines_[i] ? &*outlines_[i] : nullptr;
      read.with_changed_file += is_one_of(changed, outline ? outline->rest : units_[i]);
      for (const facts::Function& function : units_[i].functions) read.functions.insert(function.usr.hash());
      if (outline) read.functions.insert(outline->defines.begin(), outline->defines.end());
    }
    return read;
  }

  // Of the units that would have to be parsed, those that really are. For the others, facts of an earlier run are used.
  std::vector<size_t> without_kept_units(const std::vector<size_t>& open) {
    std::vector<std::optional<facts::StaleUnit>> known(open.size());
    on_threads(open.size(),
               [&](size_t n, bool) { known[n] = cache_.load_stale(*to_parse_[open[n]], roots_[open[n]]); });
    std::vector<size_t> to_parse, of_stale;
    std::vector<facts::StaleUnit> stale;
    for (size_t n = 0; n < open.size(); ++n) {
      if (!known[n]) {
        to_parse.push_back(open[n]);
        continue;
      }
      of_stale.push_back(open[n]);
      stale.push_back(*std::move(known[n]));
    }
    if (stale.size() <= kFewUnits) return open;
    KeptUnits& done = *options_.kept_units;
    std::set<std::string> changed;
    for (const facts::StaleUnit& unit : stale) changed.insert(unit.changed.begin(), unit.changed.end());
    if (!changed.empty()) done.file = *changed.begin();
    const std::vector<size_t> chosen = units_to_read(stale, units_read(changed), done.functions);
    std::set<size_t> read(chosen.begin(), chosen.end());
    read.merge(units_that_mention_changes(stale, options_.other_state, options_.texts));
    for (size_t n = 0; n < stale.size(); ++n) {
      const size_t i = of_stale[n];
      if (read.count(n) != 0) {
        to_parse.push_back(i);
        continue;
      }
      units_[i] = without_changed_files(std::move(stale[n]));
      to_parse_[i].reset();
      ++done.units;
    }
    return to_parse;
  }

  void show_cached(size_t done) {
    if (options_.progress && options_.progress->is_due())
      options_.progress->show(units_line(done, files_.size(), 0, 0, {}), "read from the cache");
  }

  // In a worker.
  std::string parse(size_t i) {
    UnitFacts unit;
    try {
      facts::UnitInputs inputs;
      const facts::KeptPreamble* preamble = preambles_.of(i, *to_parse_[i], roots_[i]);
      std::optional<UnitFacts> read;
      if (preamble)
        read = facts::read_unit_after(preamble->use(), *to_parse_[i], roots_[i], apis_, inputs, options_.texts);
      if (!read) preamble = nullptr, read = facts::read_unit(*to_parse_[i], roots_[i], apis_, &inputs, options_.texts);
      unit = *std::move(read);
      unit.file = files_[i];  // as in the places of its functions: symbolic links resolved
      std::string bytes = bytes_of(unit);
      if (bytes.size() <= kMostFactsBytes) {
        const std::vector<facts::Dependency> none;
        cache_.store(*to_parse_[i], roots_[i], unit, inputs, preamble ? preamble->preamble().dependencies : none);
        return bytes;
      }
      fail(i, "over " + std::to_string(kMostFactsBytes >> 20) + " MB of facts (what is kept of its functions)");
      unit = units_[i];
    } catch (const std::bad_alloc&) {
      throw;  // the pool reports it as running out of memory
    } catch (const std::exception& error) {
      fail(i, error.what());
      unit = units_[i];
    }
    return bytes_of(unit);
  }

  static std::string bytes_of(UnitFacts& unit) {
    facts::ByteWriter writer;
    writer(unit);
    return writer.bytes();
  }

  const std::vector<frontend::CompileCommand>& commands_;
  const ReadOptions& options_;
  const ApiTable& apis_;
  const facts::FactsCache cache_;
  UnitPreambles preambles_;
  const frontend::Toolchain toolchain_;
  std::vector<std::string> files_, roots_;
  std::vector<UnitFacts> units_;
  std::vector<std::optional<facts::UnitOutline>> outlines_;        // of units in the cache; empty if all are read whole
  std::vector<char> named_ = std::vector<char>(commands_.size());  // --verbose has named the unit; not bool: on threads
  std::vector<std::optional<frontend::UnitCommand>> to_parse_;
  std::mutex output_;
  bool counted_ = false;  // --verbose has said how many units are parsed
};

}  // namespace

std::vector<bool> units_with(const std::set<std::string>& files, const std::vector<UnitFacts>& units) {
  std::vector<bool> with;
  for (const UnitFacts& unit : units) with.push_back(is_one_of(files, unit));
  return with;
}

UnitFacts failed_unit(const std::string& file, const std::string& why) {
  UnitFacts unit;
  unit.file = file;
  unit.errors = {why};
  unit.error_count = 1;
  unit.fatal = true;
  unit.no_code = true;
  return unit;
}

std::vector<UnitFacts> read_units(const std::vector<frontend::CompileCommand>& commands, const ReadOptions& options,
                                  const ApiTable& apis) {
  return UnitReader(commands, options, apis).read();
}

}  // namespace syncsniff
