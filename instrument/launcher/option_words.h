// Tables of options, which CLI11 reads words by; and the options that several commands take.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "instrument/launcher/options.h"
#include "manual/command_page.h"

namespace syncsniff::launcher {

// What an option does, and its text in --help and the man page. An entry without a value is a flag; its `take` gets "".
struct Option : manual::OptionEntry {
  std::function<void(const std::string&)> take;
};

// The options of one command, in the order of its --help.
class OptionTable {
 public:
  void value(std::vector<std::string> names, std::string value, std::string help,
             std::function<void(const std::string&)> take, std::vector<std::string> choices = {});
  void text(std::vector<std::string> names, std::string value, std::string help, std::string& target);
  void list(std::vector<std::string> names, std::string value, std::string help, std::vector<std::string>& target);
  void flag(std::vector<std::string> names, std::string help, bool& target, bool to = true);

  manual::CommandPage page(manual::CommandPage page) const;  // with these options

  // Returns the words that are no options. `stop_at_word`: the first of them ends the options. Throws UsageError.
  std::vector<std::string> parse(const std::vector<std::string>& words, const std::string& command,
                                 bool stop_at_word) const;

 private:
  void refuse_empty_values(const std::vector<std::string>& words, bool stop_at_word) const;  // throws UsageError

  std::vector<Option> options_;
};

// Options that several commands share; what they are given goes to the second argument.
void add_code_options(OptionTable& table, reader::CodeBorder& border);  // --user-code, --library-code, in their order
void add_step(OptionTable& table, timeline::StepChoice& step);
void add_limits(OptionTable& table, std::vector<report::Gate>& gates);  // on one run: without a sign
void add_windows(OptionTable& table, std::string& timeline, std::string& budget);
void add_help(OptionTable& table, bool& help);

timeline::StepChoice parse_step(const std::string& value);  // throws UsageError

}  // namespace syncsniff::launcher
