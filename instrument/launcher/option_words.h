// Tables of options, by which CLI11 parses words, and options that several commands have.
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

  manual::CommandPage page(manual::CommandPage page) const;  // adds these options to `page`

  // Returns the words that are not options. `stop_at_word`: options end at the first such word. Throws UsageError.
  std::vector<std::string> parse(const std::vector<std::string>& words, const std::string& command,
                                 bool stop_at_word) const;

 private:
  void refuse_empty_values(const std::vector<std::string>& words, bool stop_at_word) const;  // throws UsageError

  std::vector<Option> options_;
};

// Options that several commands share; their values are stored in the second argument.
void add_code_options(OptionTable& table, reader::CodeBorder& border);  // --user-code, --library-code, order kept
void add_step(OptionTable& table, timeline::StepChoice& step);
void add_limits(OptionTable& table, std::vector<report::Gate>& gates);  // limits on one run, without a sign
void add_windows(OptionTable& table, std::string& timeline, std::string& budget);
void add_help(OptionTable& table, bool& help);

timeline::StepChoice parse_step(const std::string& value);  // throws UsageError

}  // namespace syncsniff::launcher
