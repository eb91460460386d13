// The option table says what `nvcc --help` says: same names, same need of a value, same lists.
#include <gtest/gtest.h>

#include <cstdio>
#include <regex>
#include <sstream>

#include "analyzer/frontend/command.h"
#include "analyzer/frontend/nvcc_options.h"

namespace syncsniff::frontend {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  return text;
}

TEST(NvccHelp, TableAgreesWithTheInstalledNvcc) {
  const Toolchain toolchain = find_toolchain();
  const std::string help = output_of("'" + toolchain.cuda_root + "/bin/nvcc' --help 2>/dev/null");
  if (help.empty()) GTEST_SKIP() << "nvcc is not installed";
  const std::regex entry(R"(^--([^\s]+)( [^(]*?)?\s+\(-([^)\s]+)\)\s*$)");
  std::istringstream lines(help);
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, entry)) continue;
    ++seen;
    const std::string argument = match[2].str();
    for (const std::string& word : {"--" + match[1].str(), "-" + match[3].str()}) {
      std::string value;
      bool has_value = false;
      const NvccOption* option = find_nvcc_option(word, value, has_value);
      ASSERT_TRUE(option) << word << " is not in the table";
      EXPECT_EQ(option->takes_value, argument.find_first_not_of(' ') != std::string::npos) << word;
      EXPECT_EQ(option->is_list, argument.find(",...") != std::string::npos) << word;
      EXPECT_FALSE(has_value) << word;
    }
  }
  EXPECT_GT(seen, 120);
}

TEST(NvccOptions, NamesAreDistinct) {
  for (const NvccOption& option : nvcc_options()) {
    std::string value;
    bool has_value = false;
    EXPECT_EQ(find_nvcc_option("--" + std::string(option.long_name), value, has_value), &option) << option.long_name;
    EXPECT_TRUE(option.takes_value || !option.is_list) << option.long_name;
  }
}

}  // namespace
}  // namespace syncsniff::frontend
