#include "analyzer/output/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>

#include "analyzer/output/formats.h"
#include "analyzer/output/option_pages.h"
#include "rules/nearest_name.h"
#include "rules/rule_choice.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

const std::map<std::string, ColourChoice> kColours{
    {"auto", ColourChoice::kAuto}, {"always", ColourChoice::kAlways}, {"never", ColourChoice::kNever}};

// If a script's `--rules=$RULES` has an empty variable, it must not run every rule.
std::string why_no_list(const std::string& word) {
  return split_list(word).empty() ? "names no rule; leave the option out to run all rules" : "";
}

template <typename Value>
std::vector<std::string> names_of(const std::map<std::string, Value>& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const auto& [name, value] : choices) names.push_back(name);
  return names;
}

// The variables that CLI11 fills; they are converted to Options when everything has been parsed.
struct Words {
  std::vector<std::string> formats;
  std::string output;
  std::string rules, why_not, colour = "auto", fail_level = "low", min_severity = "info";
  double unit_gigabytes = 4;
  bool no_baseline = false;
};

void add_common(CLI::App& app, Options& options, Words& words) {
  AnalysisOptions& analysis = options.analysis;
  app.add_option("files", analysis.files,
                 "Units, headers or folders to report on (default: every unit of the database)");
  app.add_option("-p,--build-path", analysis.database,
                 "compile_commands.json or its folder (default: looked for upward and in build*/)")
      ->type_name("DIR|FILE");
  app.add_option("--rules", words.rules,
                 "Rules to run, separated by commas; globs such as sync-* select several; -ID,... runs all but those")
      ->type_name("ID,...")
      ->check(CLI::Validator(why_no_list, ""))
      ->multi_option_policy(CLI::MultiOptionPolicy::Join);
  app.add_option("--level", analysis.max_level,
                 "Rules up to this level: 0 no known false alarm, 1 likely, 2 advice (default 1)")
      ->check(CLI::Validator(CLI::Range(0, 2, "0, 1 or 2")))
      ->type_name("N");
  app.add_option("-j,--jobs", analysis.jobs, "Units parsed in parallel (default: one per core)")
      ->check([](const std::string& word) {
        const bool number =
            !word.empty() && word.size() < 5 && word.find_first_not_of("0123456789") == std::string::npos;
        return number ? "" : word + " is not a number of units; give 0 (one per core) to 9999";
      })
      ->type_name("N");
  app.add_option(
         "--unit-seconds", analysis.limits.seconds,
         "Processor time that one unit may use; a unit that needs more is left out and counts as failed (default 60)")
      ->check(CLI::Range(1u, 86'400u))
      ->type_name("SECONDS");
  app.add_option("--unit-memory", words.unit_gigabytes,
                 "Memory that one unit may use; a unit that needs more is left out and counts as failed (default 4)")
      ->check(CLI::Range(0.1, 1024.0))
      ->type_name("GB");
  app.add_option("--min-severity", words.min_severity,
                 "Leave out findings below this severity: info, low, medium, high (default info)")
      ->check(CLI::IsMember({"info", "low", "medium", "high"}))
      ->type_name("SEVERITY");
  app.add_option("--fail-level", words.fail_level,
                 "Lowest severity that makes the exit code 1: info, low, medium, high, never (default low)")
      ->check(CLI::IsMember({"info", "low", "medium", "high", "never"}))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->type_name("SEVERITY");
  app.add_option(
         "--words", analysis.words,
         "File with further words that lower a finding's severity where they occur in names; form: rules/words.yaml")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  auto* config = app.add_option("--config", options.config_file,
                                "Configuration file (default: .syncsniff.yaml, looked for upward)")
                     ->type_name("FILE");
  app.add_flag("--no-config", options.no_config, "Read no configuration file")->excludes(config);
  app.add_flag("--accept-partial", options.accept_partial,
               "Exit 0 instead of 2 if there is no finding but every unit had errors; not without a compile database");
  app.add_option("--extra-arg", analysis.extra_arguments,
                 "Compiler option to add to every command, such as --extra-arg=-Iinclude; repeat it for several")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  app.add_flag("--no-cache", options.no_cache, "Parse every unit, even those that the cache holds");
  auto* verbose = app.add_flag("--verbose", analysis.verbose,
                               "Print on stderr which units are read and which compile options are ignored");
  app.add_flag("-q,--quiet", options.quiet, "One line per finding; a summary only if units were not read completely")
      ->excludes(verbose);
}

// `--output-format` is the option's former name.
void add_report(CLI::App& app, Words& words, const std::string& by_default) {
  app.add_option(
         "--format,--output-format", words.formats,
         "Report format (default: " + by_default + "); FORMAT:FILE writes to a file; repeat the option for several")
      ->check(CLI::Validator(why_no_report, "{" + format_names(",") + "}"))
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  app.add_option("-o,--output", words.output,
                 "File for the report, unless --format=FORMAT:FILE names one; written completely or not at all")
      ->type_name("FILE");
  std::string table = "Formats:\n";
  for (const ReportFormat& format : report_formats())
    table += "  " + std::string(format.name) + std::string(10 - std::min<size_t>(9, format.name.size()), ' ') +
             std::string(format.help) + "\n";
  app.footer(table);
}

void add_check(CLI::App& app, Options& options, Words& words) {
  add_report(app, words, "text");
  app.add_flag("--require-complete", options.require_complete,
               "Exit 2 if a unit could not be read completely, even if all others could");
  auto* since =
      app.add_option("--diff", options.since,
                     "Report only findings on lines changed since REV (default HEAD), and those elsewhere that these "
                     "changes cause")
          ->type_name("[=REV]");
  auto* staged = app.add_flag("--staged", options.staged,
                              "The same for changes staged in git; partly staged files are read from the index")
                     ->excludes(since);
  auto* baseline = app.add_option("--baseline", options.baseline,
                                  "JSON findings of an earlier run; the findings in it do not fail this run")
                       ->type_name("FILE");
  app.add_flag("--no-baseline", words.no_baseline, "Use no baseline, even if the configuration file names one")
      ->excludes(baseline);
  app.add_option("--why-not", words.why_not,
                 "Explain why this line has no finding or a less severe one; report nothing else")
      ->type_name("FILE:LINE")
      ->excludes(since)
      ->excludes(staged);
  app.add_flag("--dump-config", options.dump_config,
               "Print the effective configuration (file, options, defaults) as YAML, and check nothing");
  app.add_flag("--dump-facts", options.dump_facts,
               "Print what was read (calls, loops, where values go to) as text, and check nothing");
  app.add_flag("--fix", options.fix, "After the report, apply the safe fixes; the exit code is that of `syncsniff fix`")
      ->excludes("--why-not")
      ->excludes(staged);
  app.add_flag("--report-unused-allows", options.report_unused_allows,
               "Warn about allow comments that silence no finding in this run");
  app.add_flag("--fail-unused-allows", options.fail_unused_allows, "Warn about them, and exit 1 if there are any");
  app.add_flag("--show-allowed", options.show_allowed, "Show allowed findings too, with the reason given (text)");
  app.add_option("--color", words.colour, "auto, always or never (default auto)")
      ->check(CLI::IsMember(names_of(kColours)))
      ->type_name("WHEN");
}

// Parses "train.cu:12". It is an error if the text after the last colon is not a number.
Location parse_line(const std::string& word) {
  Location location;
  if (word.empty()) return location;
  const size_t colon = word.rfind(':');
  const std::string number = colon == std::string::npos ? "" : word.substr(colon + 1);
  if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != std::string::npos)
    throw CLI::ValidationError("--why-not", word + " is not FILE:LINE; write for example train.cu:12");
  location.file = word.substr(0, colon);
  location.line = static_cast<unsigned>(std::stoul(number));
  return location;
}

void settle_reports(Options& options, const Words& words) {
  std::vector<std::string> formats = words.formats;
  if (formats.empty() && (options.command == Command::kCheck || !words.output.empty())) formats = {"text"};
  try {
    options.reports = targets_of(formats, words.output);
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError("--format", error.what());
  }
  if (const std::string reason = why_not_replaced(options.export_fixes); !reason.empty())
    throw CLI::ValidationError("--export-fixes", reason);
  const bool to_screen = std::any_of(options.reports.begin(), options.reports.end(),
                                     [](const ReportTarget& target) { return target.file.empty(); });
  if (options.dry_run && to_screen)
    throw CLI::ValidationError("--format", "--dry-run prints the edits; write the report to a file, as in " +
                                               options.reports.front().format + ":FILE");
}

// Options that a configuration file may set, too.
constexpr const char* kConfigured[] = {"--rules",      "--level", "--min-severity", "--fail-level",
                                       "--build-path", "--words", "--baseline"};

void settle(Options& options, const Words& words) {
  settle_reports(options, words);
  options.report_unused_allows |= options.fail_unused_allows;
  options.analysis.rules = split_list(words.rules);
  // If --rules begins with a rule to turn on, all other rules are off.
  if (!options.analysis.rules.empty() && options.analysis.rules.front().front() != '-')
    options.analysis.rules.insert(options.analysis.rules.begin(), "-*");
  options.analysis.why_not = parse_line(words.why_not);
  if (!words.why_not.empty() && options.analysis.files.empty())
    options.analysis.files.push_back(options.analysis.why_not.file);
  // On a busy machine a process gets less than its share of CPU time, so the limit on elapsed time is higher.
  const unsigned seconds = options.analysis.limits.seconds;
  options.analysis.limits.clock_seconds = std::max(3 * seconds, seconds + 30);
  options.analysis.limits.bytes = static_cast<uint64_t>(words.unit_gigabytes * (1 << 30));
  options.colour = kColours.at(words.colour);
  options.min_severity = severity_from_string(words.min_severity);
  options.fail_level =
      words.fail_level == "never" ? std::nullopt : std::optional(severity_from_string(words.fail_level));
}

}  // namespace

namespace {

// `--diff` without a value means HEAD; the next word is a file.
std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  for (std::string& word : words) {
    if (word == "--") break;
    if (word == "--diff=")
      throw CLI::ValidationError("--diff", "there is no revision behind '='; --diff alone means HEAD");
    if (word == "--diff") word = "--diff=HEAD";
  }
  std::reverse(words.begin(), words.end());  // in the order that CLI11 expects
  return words;
}

// The known option nearest to a misspelt one among the remaining words; "" if none is near.
std::string nearest_option(const std::vector<std::string>& left_over, const CLI::App& command) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : left_over)
    if (word.starts_with("--")) return nearest_name(word.substr(0, word.find('=')), known);
  return "";
}

std::string advice_on(const std::string& problem, const CLI::App& command, const CLI::App& other) {
  for (const char* option : {" -I", " -D", " -std", " -isystem", " -include"})
    if (problem.find(option) != std::string::npos) return "; write a compiler option as --extra-arg=OPTION";
  const std::vector<std::string> left_over = command.remaining();
  if (const std::string nearest = nearest_option(left_over, command); !nearest.empty())
    return "; did you mean '" + nearest + "'?";
  if (const std::string nearest = nearest_option(left_over, other); !nearest.empty())
    return "; '" + nearest + "' is an option of `syncsniff " + other.get_name() + "`";
  return "; see `syncsniff " + command.get_name() + " --help`";
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv) {
  ParsedOptions parsed;
  Options& options = parsed.options;
  Words words;
  CLI::App app("Finds the lines that will stall the GPU, before anything runs.", "syncsniff");
  app.set_version_flag("--version", std::string("syncsniff ") + SYNCSNIFF_VERSION);
  app.require_subcommand(1);
  CLI::App& check = *app.add_subcommand("check", "Report the lines that will stall the GPU");
  CLI::App& fix = *app.add_subcommand(
      "fix",
      "Apply the safe fixes (deleting waits that redundant-sync reports); print what to change by hand for the rest");
  add_common(check, options, words);
  add_check(check, options, words);
  add_common(fix, options, words);
  add_report(fix, words, "none");
  fix.add_option("--export-fixes", options.export_fixes,
                 "Write the edits to this file, for clang-apply-replacements; change nothing else")
      ->type_name("FILE");
  fix.add_flag("--dry-run", options.dry_run, "Print the edits as a unified diff; change nothing");
  if (argc == 2 && argv[1] == std::string("--dump-options")) {
    parsed.exit_code = 0;
    parsed.out = manual::pages_to_json(pages_of(app));
    return parsed;
  }
  try {
    app.parse(words_of(argc, argv));
    CLI::App& used = fix.parsed() ? fix : check;
    options.command = fix.parsed() ? Command::kFix : Command::kCheck;
    for (const char* name : kConfigured) {
      const CLI::Option* option = used.get_option_no_throw(name);  // `fix` has no --baseline
      if (option != nullptr && option->count() > 0) options.given.insert(name);
    }
    if (words.no_baseline) options.given.insert("--baseline");
    settle(options, words);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, ignored;
    bool is_help = error.get_exit_code() == 0;  // --help, --version
    if (is_help) app.exit(error, out, ignored);
    parsed.exit_code = is_help ? 0 : 2;
    parsed.out = out.str();
    if (!is_help)
      parsed.err = "syncsniff: error: " + printable(error.what()) +
                   advice_on(error.what(), fix.parsed() ? fix : check, fix.parsed() ? check : fix) + "\n";
  }
  return parsed;
}

}  // namespace syncsniff::output
