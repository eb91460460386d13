// What a command's --help says, as data: the same table parses its words, prints its help and makes its man page and
// completions. Knows no command.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::manual {

struct OptionEntry {
  std::vector<std::string> names;    // "-o", "--output"
  std::string value;                 // "FILE"; empty: a flag; "[=REV]": may be left out
  std::string help;                  // a sentence or two, not wrapped
  std::vector<std::string> choices;  // the words that the value may be; empty: any
};

struct CommandPage {
  std::string name;                // "run"; empty: the driver itself
  std::vector<std::string> usage;  // one line a form, from "syncsniff" on
  std::string about;               // paragraphs of their own are parted by an empty line
  std::string summary;             // the driver's line about the command; empty: the first sentence of `about`
  std::vector<OptionEntry> options;
};

// "--output TRACE", "--diff[=REV]"
std::string with_value(const std::string& name, const OptionEntry& option);

// As --help prints it, no line wider than 100 columns.
std::string help_text(const CommandPage& page);

std::string pages_to_json(const std::vector<CommandPage>& pages);
std::vector<CommandPage> pages_from_json(const std::string& text);  // throws std::runtime_error

}  // namespace syncsniff::manual
