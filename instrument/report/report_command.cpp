#include "instrument/report/report_command.h"

#include <string_view>

namespace syncsniff::report {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string report_command(const std::vector<std::string>& traces, const std::vector<std::string>& findings,
                           const Reading& reading) {
  std::string command = "`syncsniff report";
  const auto add = [&](const std::string& word) { command += " " + shell_word(word); };
  for (const std::string& file : findings) add("--findings=" + file);
  if (reading.step.made()) add("--step=" + timeline::step_choice_text(reading.step));
  for (const reader::CodePattern& pattern : reading.border.patterns()) add(reader::option_text(pattern));
  for (const std::string& trace : traces) add(trace);
  return command + "`";
}

}  // namespace syncsniff::report
