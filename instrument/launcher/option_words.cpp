#include "instrument/launcher/option_words.h"

#include <charconv>

namespace syncsniff::launcher {

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
    if (auto flag = table.flags.find(name); flag != table.flags.end() && equals == std::string::npos) {
      flag->second();
      continue;
    }
    auto valued = table.valued.find(name);
    if (valued == table.valued.end())
      throw UsageError(word + ": no such option; see `syncsniff " + command + " --help`");
    if (equals == std::string::npos && i + 1 == words.size())
      throw UsageError(word + ": needs a value; see `syncsniff " + command + " --help`");
    valued->second(equals == std::string::npos ? words[++i] : word.substr(equals + 1));
  }
  return rest;
}

void add_code_options(OptionTable& table, reader::CodeBorder& border) {
  const auto add = [&](const std::string& option, reader::Whose whose) {
    table.valued[option] = [&border, option, whose](const std::string& glob) {
      try {
        border.add(whose, glob);
      } catch (const PatternError& error) {
        throw UsageError(option + "=" + glob + ": " + error.what());
      }
    };
  };
  add("--user-code", reader::Whose::kUsers);
  add("--library-code", reader::Whose::kLibrarys);
}

report::Gate parse_limit(const std::string& value) {
  try {
    const report::Gate gate = report::parse_gate(value);
    if (gate.of_change)
      throw UsageError("--fail-on=" + value + ": a limit with a sign is on a change; write it to `syncsniff diff A B`");
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

timeline::StepChoice parse_step(const std::string& value) {
  try {
    return timeline::parse_step_choice(value);
  } catch (const timeline::StepChoiceError& error) {
    throw UsageError(error.what());
  }
}

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

}  // namespace syncsniff::launcher
