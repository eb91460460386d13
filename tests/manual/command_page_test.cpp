// What --help prints of an option table, and the table's way through JSON.
#include "manual/command_page.h"

#include <gtest/gtest.h>

#include <sstream>

namespace syncsniff::manual {
namespace {

CommandPage sample() {
  return {"run",
          {"syncsniff run [options] COMMAND", "syncsniff run --list"},
          "Runs COMMAND.\n\nMore of it.",
          "run a program",
          {{{"-o", "--output"}, "FILE", "where to write", {}},
           {{"--diff"}, "[=REV]", "since when", {}},
           {{"--format"}, "text|json", "form of the report", {"text", "json"}},
           {{"-q"}, "", "print nothing", {}}}};
}

TEST(CommandPage, HelpNamesUsageAndOptions) {
  EXPECT_EQ(help_text(sample()),
            "usage: syncsniff run [options] COMMAND\n"
            "       syncsniff run --list\n"
            "Runs COMMAND.\n"
            "\n"
            "More of it.\n"
            "\n"
            "  -o, --output FILE      where to write\n"
            "  --diff[=REV]           since when\n"
            "  --format text|json     form of the report\n"
            "  -q                     print nothing\n");
}

TEST(CommandPage, LongHelpIsWrappedBelowItself) {
  CommandPage page = sample();
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  page.options = {{{"--one"}, "", words, {}}, {{"--a-name-that-leaves-no-room"}, "FILE", words, {}}};
  page.about = words;
  std::istringstream lines(help_text(page));
  size_t of_options = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    if (line.rfind(std::string(25, ' ') + "word", 0) == 0) ++of_options;
  }
  EXPECT_EQ(of_options, 3u + 4u);  // 300 columns in lines of 75: the first of --one stands beside its name
}

TEST(CommandPage, GoesThroughJson) {
  const std::vector<CommandPage> back = pages_from_json(pages_to_json({sample(), CommandPage{}}));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].name, "run");
  EXPECT_EQ(back[0].usage, sample().usage);
  EXPECT_EQ(back[0].summary, "run a program");
  EXPECT_EQ(help_text(back[0]), help_text(sample()));
  EXPECT_EQ(back[0].options[2].choices, (std::vector<std::string>{"text", "json"}));
  EXPECT_TRUE(back[1].options.empty());
}

TEST(CommandPage, WhatIsNoTableIsRefused) {
  for (const char* text : {"", "usage: syncsniff", "[{}]", "[1]", "[{\"name\": 1}]"})
    EXPECT_THROW(pages_from_json(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace syncsniff::manual
