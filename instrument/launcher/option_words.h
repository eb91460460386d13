// Words of a command line, read by a table of options; and the values that several commands take.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "instrument/launcher/options.h"

namespace syncsniff::launcher {

// name -> what to do with its value; flags take none.
struct OptionTable {
  std::map<std::string, std::function<void(const std::string&)>> valued;
  std::map<std::string, std::function<void()>> flags;
};

// Returns the words that are no options. `stop_at_word`: the first of them ends the options. Throws UsageError.
std::vector<std::string> parse_words(const std::vector<std::string>& words, const OptionTable& table,
                                     const std::string& command, bool stop_at_word);

// --user-code and --library-code, in the order in which they are given.
void add_code_options(OptionTable& table, reader::CodeBorder& border);

// All throw UsageError.
report::Gate parse_limit(const std::string& value);  // on one run: without a sign
report::Format parse_format(const std::string& value);
timeline::StepChoice parse_step(const std::string& value);
std::string parse_percent(const std::string& option, std::string value);  // "2%" or "2", without the sign
std::string parse_timeline(const std::string& value);

}  // namespace syncsniff::launcher
