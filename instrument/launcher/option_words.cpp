#include "instrument/launcher/option_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "rules/nearest_name.h"

namespace syncsniff::launcher {

namespace {

report::Gate parse_limit(const std::string& value) {
  try {
    const report::Gate gate = report::parse_gate(value);
    if (gate.of_change)
      throw UsageError("--fail-on=" + value +
                       ": a limit with a sign is for a change between two traces; give it to `syncsniff diff A B`");
    return gate;
  } catch (const report::GateError& error) {
    throw UsageError(error.what());
  }
}

// Parses "2%" or "2"; returns it without the sign.
std::string parse_percent(const std::string& option, std::string value) {
  const std::string given = value;
  if (!value.empty() && value.back() == '%') value.pop_back();
  double percent = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), percent);
  if (error != std::errc() || end != value.data() + value.size() || !(percent > 0 && percent <= 100))
    throw UsageError(option + "=" + given + ": use a percentage above 0 and up to 100, such as 2%");
  return value;
}

std::string parse_timeline(const std::string& value) {
  if (value == "off" || value == "full" || value == "windows") return value;
  throw UsageError("--timeline=" + value + ": use windows, full or off");
}

// Why a flag's value is wrong, in the form of a CLI11 check; empty: it is right. CLI11 passes "true" for `--quiet`
// alone.
std::string why_no_flag(const std::string& given) { return given == "true" ? "" : "takes no value"; }

}  // namespace

void OptionTable::value(std::vector<std::string> names, std::string value, std::string help,
                        std::function<void(const std::string&)> take, std::vector<std::string> choices) {
  options_.push_back({{std::move(names), std::move(value), std::move(help), std::move(choices)}, std::move(take)});
}

void OptionTable::text(std::vector<std::string> names, std::string value, std::string help, std::string& target) {
  this->value(std::move(names), std::move(value), std::move(help),
              [&target](const std::string& word) { target = word; });
}

void OptionTable::list(std::vector<std::string> names, std::string value, std::string help,
                       std::vector<std::string>& target) {
  this->value(std::move(names), std::move(value), std::move(help),
              [&target](const std::string& word) { target.push_back(word); });
}

void OptionTable::flag(std::vector<std::string> names, std::string help, bool& target, bool to) {
  value(std::move(names), "", std::move(help), [&target, to](const std::string&) { target = to; });
}

manual::CommandPage OptionTable::page(manual::CommandPage page) const {
  page.options.assign(options_.begin(), options_.end());
  return page;
}

// Refuses `--output=$TRACE` with an empty variable: CLI11 would take the next word for the value.
void OptionTable::refuse_empty_values(const std::vector<std::string>& words, bool stop_at_word) const {
  const auto takes_value = [&](const std::string& name) {
    return std::any_of(options_.begin(), options_.end(), [&](const Option& option) {
      return !option.value.empty() && std::find(option.names.begin(), option.names.end(), name) != option.names.end();
    });
  };
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    const bool is_option = word.size() > 1 && word[0] == '-';
    if (!is_option && stop_at_word) return;
    if (is_option && word.back() == '=' && takes_value(word.substr(0, word.size() - 1)))
      throw UsageError(word + ": the value is empty; leave the option out, or give one");
    if (takes_value(word)) ++i;
  }
}

std::vector<std::string> OptionTable::parse(const std::vector<std::string>& words, const std::string& command,
                                            bool stop_at_word) const {
  refuse_empty_values(words, stop_at_word);
  CLI::App app;
  app.set_help_flag();  // --help is in our own table
  for (const Option& option : options_) {
    const std::string names = CLI::detail::join(option.names, ",");
    CLI::Option* added = nullptr;
    if (option.value.empty())
      added = app.add_flag_callback(names, [&option] { option.take(""); })->check(why_no_flag);
    else
      added = app.add_option_function<std::string>(names, option.take)->allow_extra_args(false);
    added->type_name(option.value)->trigger_on_parse();  // in the order of the words: of two globs the last one counts
  }
  std::vector<std::string> rest;
  if (stop_at_word)
    app.prefix_command();
  else
    app.allow_extras()->add_option("words", rest);
  const std::string see = "; see `syncsniff " + command + " --help`";
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 expects the words in reverse order
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + see);
  }
  std::vector<std::string> unknown = app.remaining();
  const bool ended = !unknown.empty() && unknown.front() == "--";
  if (ended) unknown.erase(unknown.begin());
  if (!ended && !unknown.empty() && unknown.front().size() > 1 && unknown.front().front() == '-') {
    std::vector<std::string> known;
    for (const Option& option : options_) known.insert(known.end(), option.names.begin(), option.names.end());
    const std::string nearest = nearest_name(unknown.front().substr(0, unknown.front().find('=')), known);
    throw UsageError(unknown.front() + ": no such option" +
                     (nearest.empty() ? see : "; did you mean '" + nearest + "'?"));
  }
  return stop_at_word ? unknown : rest;
}

void add_code_options(OptionTable& table, reader::CodeBorder& border) {
  const auto add = [&](const std::string& option, reader::Whose whose, const std::string& help) {
    table.value({option}, "GLOB", help, [&border, option, whose](const std::string& glob) {
      try {
        border.add(whose, glob);
      } catch (const PatternError& error) {
        throw UsageError(option + "=" + glob + ": " + error.what());
      }
    });
  };
  add("--user-code", reader::Whose::kUsers,
      "treat code whose source file or object file matches as yours, so that its lines are named: --user-code mylib");
  add("--library-code", reader::Whose::kLibrarys,
      "treat such code as a library's: --library-code third_party. A GLOB matches the end of a path, or a folder in "
      "it; "
      "both options are repeatable, and the last match wins");
}

void add_step(OptionTable& table, timeline::StepChoice& step) {
  table.value(
      {"--step"}, "nvtx:NAME|line:FILE:LINE",
      "what a step is: an NVTX range of this name, or the time from one call at this line to the next; by default "
      "steps are found from NVTX ranges, launches or calls that repeat",
      [&step](const std::string& value) { step = parse_step(value); });
}

void add_limits(OptionTable& table, std::vector<report::Gate>& gates) {
  table.value(
      {"--fail-on"}, "'FIGURE>LIMIT'",
      "exit with 3 when the figure is above LIMIT (FIGURE<LIMIT: below it); repeatable. Figures: idle_pct, busy_pct, "
      "launching_pct, host_code_pct, idle_ms_per_step, sync_ms_per_step, step_ms, launches_per_step",
      [&gates](const std::string& value) { gates.push_back(parse_limit(value)); });
}

void add_windows(OptionTable& table, std::string& timeline, std::string& budget) {
  table.value({"--timeline"}, "windows|full|off",
              "GPU activity to record: in windows of the run (default), every kernel and copy (slower), or none",
              [&timeline](const std::string& value) { timeline = parse_timeline(value); }, {"windows", "full", "off"});
  table.value({"--budget"}, "PERCENT", "how much the windows may slow COMMAND down (default 2%)",
              [&budget](const std::string& value) { budget = parse_percent("--budget", value); });
}

void add_help(OptionTable& table, bool& help) { table.flag({"-h", "--help"}, "print this help", help); }

timeline::StepChoice parse_step(const std::string& value) {
  try {
    return timeline::parse_step_choice(value);
  } catch (const timeline::StepChoiceError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace syncsniff::launcher
