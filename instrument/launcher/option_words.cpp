#include "instrument/launcher/option_words.h"

#include <algorithm>
#include <charconv>

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

report::Format parse_format(const std::string& value) {
  if (value == "terminal") return report::Format::kTerminal;
  if (value == "json") return report::Format::kJson;
  throw UsageError("--format=" + value + ": no such format; use terminal or json");
}

// "2%" or "2", without the sign
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

const Option* OptionTable::find(const std::string& name) const {
  for (const Option& option : options_)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  return nullptr;
}

manual::CommandPage OptionTable::page(manual::CommandPage page) const {
  page.options.assign(options_.begin(), options_.end());
  return page;
}

std::vector<std::string> parse_words(const std::vector<std::string>& words, const OptionTable& table,
                                     const std::string& command, bool stop_at_word) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool end = word == "--";
    if (end || ((word.size() < 2 || word[0] != '-') && stop_at_word)) {
      rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(end ? i + 1 : i), words.end());
      return rest;
    }
    if (word.size() < 2 || word[0] != '-') {
      rest.push_back(word);
      continue;
    }
    const size_t equals = word.compare(0, 2, "--") == 0 ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    const Option* option = table.find(name);
    const bool is_flag = option != nullptr && option->value.empty();
    if (option == nullptr || (is_flag && equals != std::string::npos))
      throw UsageError(word + ": no such option; see `syncsniff " + command + " --help`");
    if (is_flag) {
      option->take("");
      continue;
    }
    if (equals == std::string::npos && i + 1 == words.size())
      throw UsageError(word + ": needs a value; see `syncsniff " + command + " --help`");
    option->take(equals == std::string::npos ? words[++i] : word.substr(equals + 1));
  }
  return rest;
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

void add_format(OptionTable& table, report::Format& format, const std::string& of) {
  table.value({"--format"}, "terminal|json", "format of the " + of,
              [&format](const std::string& value) { format = parse_format(value); }, {"terminal", "json"});
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
