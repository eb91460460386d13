#include "manual/command_page.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace syncsniff::manual {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kHelpColumn = 25;

// Words of `text` from column `indent` on; what stands in the current line already is `column` wide.
void wrap(const std::string& text, size_t indent, size_t column, std::string& out) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool begins = column <= indent;
    if (!begins && column + 1 + word.size() > kWidth) {
      out += '\n';
      column = 0;
    }
    if (column < indent) {
      out.append(indent - column, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  out += '\n';
}

void add_option(const OptionEntry& option, std::string& out) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + (&name == &option.names.back() ? with_value(name, option) : name);
  std::string line = "  " + names;
  if (line.size() + 1 > kHelpColumn) {
    out += line + '\n';
    line.clear();
  }
  out += line;
  wrap(option.help, kHelpColumn, line.size(), out);
}

// CommandPage <-> JSON: each field once.
void to_json(nlohmann::json& json, const OptionEntry& option) {
  json = {{"names", option.names}, {"value", option.value}, {"help", option.help}, {"choices", option.choices}};
}

void from_json(const nlohmann::json& json, OptionEntry& option) {
  json.at("names").get_to(option.names);
  json.at("value").get_to(option.value);
  json.at("help").get_to(option.help);
  json.at("choices").get_to(option.choices);
}

}  // namespace

std::string with_value(const std::string& name, const OptionEntry& option) {
  if (option.value.empty()) return name;
  return name + (option.value[0] == '[' ? "" : " ") + option.value;
}

std::string help_text(const CommandPage& page) {
  std::string out;
  for (const std::string& usage : page.usage) out += (out.empty() ? "usage: " : "       ") + usage + '\n';
  std::istringstream lines(page.about);
  for (std::string paragraph; std::getline(lines, paragraph);) {
    if (paragraph.empty())
      out += '\n';
    else
      wrap(paragraph, 0, 0, out);
  }
  if (!page.options.empty()) out += '\n';
  for (const OptionEntry& option : page.options) add_option(option, out);
  return out;
}

std::string pages_to_json(const std::vector<CommandPage>& pages) {
  nlohmann::json list = nlohmann::json::array();
  for (const CommandPage& page : pages) {
    nlohmann::json options = nlohmann::json::array();
    for (const OptionEntry& option : page.options) {
      nlohmann::json entry;
      to_json(entry, option);
      options.push_back(entry);
    }
    list.push_back({{"name", page.name},
                    {"usage", page.usage},
                    {"about", page.about},
                    {"summary", page.summary},
                    {"options", options}});
  }
  return list.dump(1) + "\n";
}

std::vector<CommandPage> pages_from_json(const std::string& text) {
  std::vector<CommandPage> pages;
  try {
    for (const nlohmann::json& json : nlohmann::json::parse(text)) {
      CommandPage page{json.at("name"), json.at("usage"), json.at("about"), json.at("summary"), {}};
      for (const nlohmann::json& entry : json.at("options")) from_json(entry, page.options.emplace_back());
      pages.push_back(page);
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("not the option table of a program: ") + error.what());
  }
  return pages;
}

}  // namespace syncsniff::manual
