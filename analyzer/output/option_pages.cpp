#include "analyzer/output/option_pages.h"

#include <CLI/CLI.hpp>
#include <sstream>

namespace syncsniff::output {
namespace {

// CLI11 describes a type as "FORMAT:{github,json}": the value's name, then its possible values.
std::vector<std::string> choices_of(const std::string& type) {
  const size_t begin = type.find('{'), end = type.find('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::istringstream words(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(words, word, ',');) choices.push_back(word);
  return choices;
}

manual::OptionEntry entry_of(const CLI::Option& option) {
  manual::OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.help = option.get_description();
  if (option.get_type_size_max() > 0) {  // 0: a flag
    const std::string type = option.get_type_name();
    // After a colon, CLI11 appends a check's description, as in "N:INT in [0 - 2]".
    entry.value = type == "FILE:LINE" ? type : type.substr(0, type.find(':'));
    entry.choices = choices_of(type);
  }
  return entry;
}

}  // namespace

std::vector<manual::CommandPage> pages_of(const CLI::App& app) {
  std::vector<manual::CommandPage> pages;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    manual::CommandPage page{command->get_name(), {}, command->get_description() + ".", "", {}};
    page.usage = {"syncsniff " + page.name + " [options] [files...]"};
    for (const CLI::Option* option : command->get_options())
      if (option->get_positional())
        page.about += "\n\nfiles: " + option->get_description() + ".";
      else
        page.options.push_back(entry_of(*option));
    pages.push_back(page);
  }
  return pages;
}

}  // namespace syncsniff::output
