#include "analyzer/fixes/fix_command.h"

#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>

#include "analyzer/content_hash.h"
#include "analyzer/fixes/apply_edits.h"
#include "analyzer/fixes/edit_plan.h"
#include "analyzer/fixes/replacements_yaml.h"
#include "analyzer/fixes/unified_diff.h"
#include "analyzer/output/check_command.h"
#include "analyzer/output/report_files.h"
#include "analyzer/output/summary.h"
#include "analyzer/output/text.h"
#include "rules/untrusted_text.h"
#include "rules/write_file.h"

namespace syncsniff::fixes {
namespace {

using output::plural;

[[noreturn]] void changed(const std::string& file) {
  throw std::runtime_error(file + ": changed since it was read, nothing was written; run fix again");
}

// Reads the file and checks by hash that it is still the text that was analysed, since the offsets would be wrong in
// another text.
std::string read_unchanged(const std::string& path, const FilePlan& file, const FindingsDocument& document) {
  std::optional<std::string> text = output::read_whole_file(path);
  if (!text) throw std::runtime_error(printable(file.shown) + ": cannot be read, nothing was written; run fix again");
  const auto read = document.contents.find(file.shown);
  if (read == document.contents.end() || content_hash(*text) != read->second) changed(file.shown);
  return *std::move(text);
}

// Whether nobody, or not this user, may write the file. A new file of the same name could still replace it, but its
// owner does not want it changed.
bool is_read_only(const std::string& path) {
  using std::filesystem::perms;
  constexpr perms kWrite = perms::owner_write | perms::group_write | perms::others_write;
  std::error_code error;
  auto status = std::filesystem::status(path, error);
  return !error && ((status.permissions() & kWrite) == perms::none || ::access(path.c_str(), W_OK) != 0);
}

struct Rewrite {
  std::string path, shown, before, after;
};

// All new texts are computed before the first file is written.
std::vector<Rewrite> rewrites_of(const EditPlan& plan, const FindingsDocument& document, bool dry_run) {
  std::vector<Rewrite> rewrites;
  for (const auto& [path, file] : plan.files) {
    std::string text = read_unchanged(path, file, document);
    if (!dry_run && is_read_only(path))
      throw std::runtime_error(file.shown + ": is read-only, nothing was written; make it writable and run fix again");
    try {
      std::string after = apply_edits(text, file.edits);
      rewrites.push_back({path, file.shown, std::move(text), std::move(after)});
    } catch (const std::out_of_range&) {
      changed(file.shown);
    }
  }
  return rewrites;
}

void write_all(const std::vector<Rewrite>& rewrites) {
  for (size_t i = 0; i < rewrites.size(); ++i) {
    try {
      // An editor may have saved the file while the others were written.
      if (output::read_whole_file(rewrites[i].path) != rewrites[i].before)
        throw std::runtime_error(printable(rewrites[i].shown) + ": changed since it was read; run fix again");
      write_file_atomically(rewrites[i].path, rewrites[i].after);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(std::string(error.what()) + "; " + std::to_string(i) + " of " +
                               plural(static_cast<unsigned>(rewrites.size()), "file") + " written before");
    }
  }
}

std::string advice(const Finding& finding, const std::map<std::string, Rule>& rules) {
  if (!finding.fix.description.empty()) return finding.fix.description;
  auto rule = rules.find(finding.rule);
  return rule != rules.end() && !rule->second.fix.empty() ? rule->second.fix : finding.message;
}

// Prints one line per finding. Each advice is printed in full once; later findings only refer to it.
void print_remaining(const EditPlan& plan, const std::map<std::string, Rule>& rules, std::ostream& out) {
  std::set<std::string> lines;
  std::map<std::string, std::string> advised;
  auto print_advice = [&](const Finding& finding, const std::string& words) {
    std::string line =
        output::place(finding.location) + ": " + printable(words) + " [" + printable(finding.rule) + "]\n";
    if (lines.insert(line).second) out << line;
  };
  for (const Finding* finding : plan.clashing)
    print_advice(*finding, "not fixed: its edit overlaps another one; run fix again");
  for (const Finding* finding : plan.fetched)
    print_advice(
        *finding,
        "not fixed: the build has fetched this file (_deps) and may fetch it again; fix it in the project that it "
        "comes from");
  for (const Finding* finding : plan.by_hand) {
    std::string words = advice(*finding, rules), here = output::place(finding->location);
    std::string where = advised.emplace(words, here).first->second;
    print_advice(*finding, "manual fix: " + (where == here ? words : "same as at " + where));
  }
}

// Whether the sources are not changed.
bool is_only_shown(const output::Options& options) { return options.dry_run || !options.export_fixes.empty(); }

std::string summary(const EditPlan& plan, const output::Tally& tally, const output::Options& options) {
  unsigned edits = edit_count(plan);
  const char* done = !options.export_fixes.empty() ? " exported for "
                     : options.dry_run             ? " would be applied in "
                                                   : " applied in ";
  std::string line = edits == 0
                         ? "no edit to make"
                         : plural(edits, "edit") + done + plural(static_cast<unsigned>(plan.files.size()), "file");
  auto left = static_cast<unsigned>(plan.by_hand.size() + plan.clashing.size() + plan.fetched.size());
  if (left > 0) line += "; " + plural(left, "finding") + (left == 1 ? " needs a manual fix" : " need a manual fix");
  if (tally.partial > 0) line += "; " + plural(tally.partial, "unit") + " partial";
  if (tally.failed > 0) line += "; " + plural(tally.failed, "unit") + " failed";
  if (tally.partial + tally.failed > 0) line += ": not all of the program was checked";
  return line;
}

bool counts(const Finding* finding, const output::Options& options) {
  return options.fail_level && finding->severity >= *options.fail_level;
}

int exit_code(const EditPlan& plan, const output::Options& options) {
  auto any = [&](const std::vector<const Finding*>& findings) {
    for (const Finding* finding : findings)
      if (counts(finding, options)) return true;
    return false;
  };
  return any(plan.by_hand) || any(plan.clashing) || any(plan.fetched) || (is_only_shown(options) && any(plan.fixed))
             ? 1
             : 0;
}

}  // namespace

namespace {

void print_fixed(const EditPlan& plan, std::ostream& out) {
  for (const Finding* finding : plan.fixed)
    out << output::place(finding->location) << ": fixed: " << printable(finding->message) << " ["
        << printable(finding->rule) << "]\n";
}

// Prints or writes the edits without making them: as a diff, or as a file of edits.
void show_edits(const output::Options& options, const EditPlan& plan, const std::vector<Rewrite>& rewrites,
                std::ostream& out) {
  if (options.dry_run)
    for (const Rewrite& rewrite : rewrites)
      out << unified_diff(rewrite.shown, rewrite.before, plan.files.at(rewrite.path).edits);
  if (options.export_fixes.empty()) return;
  std::map<std::string, std::string> texts;
  for (const Rewrite& rewrite : rewrites) texts[rewrite.path] = rewrite.before;
  write_file_atomically(options.export_fixes, replacements_yaml(plan, texts));
}

}  // namespace

int run_fix(const output::Options& options, const output::Analyse& analyse, std::ostream& out, std::ostream& err) {
  output::SourceCache sources;
  output::Outcome outcome = output::run_analysis(options, analyse, sources, err);
  const bool delivered = output::write_reports(options, outcome, {}, sources, out, err);
  output::Tally tally = output::count(outcome.document, {}, options.fail_level);
  if (output::report_nothing_analysed(tally, options.accept_partial, err)) return 2;
  EditPlan plan = plan_edits(outcome.document);
  const bool only_shown = is_only_shown(options);
  std::vector<Rewrite> rewrites = rewrites_of(plan, outcome.document, only_shown);
  // If standard output has a report or a diff, nothing else is printed there, so that it can be piped into `git apply`.
  std::ostream& lines = options.dry_run || output::reports_on_standard_output(options) ? err : out;
  if (only_shown) {
    show_edits(options, plan, rewrites, out);
  } else {
    write_all(rewrites);
    print_fixed(plan, lines);
  }
  if (!options.quiet) print_remaining(plan, outcome.rules, lines);
  out << std::flush;
  if (!out) throw std::runtime_error("standard output: cannot be written");
  err << summary(plan, tally, options) << "\n";
  return delivered ? exit_code(plan, options) : 2;
}

int run_check_and_fix(const output::Options& options, const output::Analyse& analyse, std::ostream& out,
                      std::ostream& err) {
  output::Options in_files = options;
  in_files.analysis.by_path = false;  // edits were requested only in these files
  const auto fix_reported = [&](const output::Outcome& outcome) {
    EditPlan plan = plan_edits(outcome.document);
    write_all(rewrites_of(plan, outcome.document, false));
    print_fixed(plan, err);
    const output::Tally tally = output::count(outcome.document, {}, options.fail_level);
    const int code = exit_code(plan, options);
    const std::string line = summary(plan, tally, options);
    plan.by_hand.clear();  // the report has already printed their fixes
    if (!options.quiet) print_remaining(plan, outcome.rules, err);
    err << line << "\n";
    return code;
  };
  return output::run_check_and_then(in_files, analyse, fix_reported, out, err);
}

}  // namespace syncsniff::fixes
