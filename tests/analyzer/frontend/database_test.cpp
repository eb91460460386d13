// Where a compile database is found, what is wrong with a bad one, and commands for files that none names.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "analyzer/frontend/command.h"
#include "tests/analyzer/frontend/temporary_folder.h"

namespace syncsniff::frontend {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOne = R"([{"directory": "/p", "file": "a.cu", "arguments": ["nvcc", "-c", "a.cu"]}])";

class InFolder : public testing::Test {
 protected:
  void SetUp() override { before_ = fs::current_path(); }
  void TearDown() override { fs::current_path(before_); }

  std::string found_from(const std::string& below) {
    fs::create_directories(folder_.path() + "/" + below);
    fs::current_path(folder_.path() + "/" + below);
    std::string found;
    load_compile_database("", &found);
    return fs::relative(found, folder_.path()).string();
  }

  std::string error_of(const std::string& path) {
    try {
      load_compile_database(path, nullptr);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
  fs::path before_;
};

TEST_F(InFolder, FoundHereAboveAndInBuildFolders) {
  folder_.write("build-debug/compile_commands.json", kOne);
  EXPECT_EQ(found_from("src/deep"), "build-debug/compile_commands.json");
  folder_.write("compile_commands.json", kOne);
  EXPECT_EQ(found_from("src/deep"), "compile_commands.json");
  folder_.write("src/build/compile_commands.json", kOne);
  EXPECT_EQ(found_from("src/deep"), "src/build/compile_commands.json");
}

TEST_F(InFolder, OfSeveralBuildFoldersTheNewest) {
  const std::string old_one = folder_.write("build/compile_commands.json", kOne);
  folder_.write("build-new/compile_commands.json", kOne);
  fs::last_write_time(old_one, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(found_from("."), "build-new/compile_commands.json");
}

TEST_F(InFolder, BuildFoldersAboveTheRepositoryAreOthers) {
  folder_.write("build/compile_commands.json", kOne);
  fs::create_directories(folder_.path() + "/repo/.git");
  EXPECT_ANY_THROW(found_from("repo"));
}

TEST_F(InFolder, GivenFolderOrFile) {
  const std::string file = folder_.write("b/compile_commands.json", kOne);
  EXPECT_EQ(load_compile_database(folder_.path() + "/b", nullptr).size(), 1u);
  EXPECT_EQ(load_compile_database(file, nullptr).size(), 1u);
  const std::string odd = folder_.write("db.json", kOne);
  std::string found;
  load_compile_database(odd, &found);
  EXPECT_EQ(found, odd);
}

TEST_F(InFolder, CommandStringsAreSplitAsAShellDoes) {
  folder_.write("compile_commands.json",
                R"([{"directory": "sub", "file": "a.cpp", "command": "g++ -DS=\\\"x\\\" '-I/a b' -c a.cpp"}])");
  const CompileCommand command = load_compile_database(folder_.path(), nullptr).at(0);
  EXPECT_EQ(command.directory, folder_.path() + "/sub");
  EXPECT_EQ(command.arguments, (std::vector<std::string>{"g++", "-DS=\"x\"", "-I/a b", "-c", "a.cpp"}));
}

TEST_F(InFolder, EachFaultIsOneLineThatNamesTheFile) {
  const struct {
    const char* text;
    const char* says;
  } rows[] = {
      {"", "compile database is empty"},
      {"[]", "compile database is empty"},
      {"{}", "not a list of compile commands"},
      {"[\n{\n,", ":3: not valid JSON"},
      {"[1]", "entry 0: not an object"},
      {R"([{"directory": "/p", "command": "g++ a"}])", "entry 0: no \"file\""},
      {R"([{"directory": "/p", "file": "a.cu"}])", "entry 0: no \"command\""},
      {R"([{"directory": "/p", "file": "a.cu", "arguments": "g++"}])", "\"arguments\" is not a list"},
      {R"([{"directory": "/p", "file": "a.cu", "arguments": []}])", "the command is empty"},
      {R"([{"directory": 1, "file": "a.cu", "command": "g++"}])", "\"directory\" is not a string"},
  };
  for (const auto& row : rows) {
    const std::string file = folder_.write("compile_commands.json", row.text);
    const std::string error = error_of(folder_.path());
    EXPECT_EQ(error.rfind(file, 0), 0u) << error;
    EXPECT_NE(error.find(row.says), std::string::npos) << error;
    EXPECT_NE(error.find(';'), std::string::npos) << "says what to do: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

// A generator's one bad entry costs that unit alone.
TEST_F(InFolder, ABadEntryBesideAGoodOneCostsItsOwnUnit) {
  const std::string good = R"({"directory": "/p", "file": "good.cu", "command": "nvcc -c good.cu"})";
  const std::string long_name(5000, 'x');
  const struct {
    std::string entry, file, says;
  } rows[] = {
      {"1", "compile_commands.json entry 1", "entry 1: not an object"},
      {R"({"command": "g++ a"})", "compile_commands.json entry 1", "no \"file\""},
      {R"({"file": "", "command": "g++ a"})", "compile_commands.json entry 1", "\"file\" is empty"},
      {R"({"file": "a.cu"})", "a.cu", "no \"command\""},
      {R"({"file": "a.cu", "arguments": []})", "a.cu", "the command is empty"},
      {R"({"file": "a.cu", "arguments": [1]})", "a.cu", "not a string"},
      {R"({"file": ")" + long_name + R"(", "command": "g++ a"})", "compile_commands.json entry 1", "longer than"},
      {R"({"file": "a.cu", "directory": "/)" + long_name + R"(", "command": "g++ a"})", "a.cu", "longer than"},
      {R"({"file": "a.cu", "arguments": ["g++", "-D\ud800"]})", "a.cu", "\"arguments\" holds half a surrogate pair"},
      {R"({"file": "\udc00.cu", "command": "g++ a"})", "compile_commands.json entry 1", "half a surrogate pair"},
      {R"({"file": "\udbff\udf90.cu", "command": "g++ a"})", "compile_commands.json entry 1", "half a surrogate pair"},
  };
  for (const auto& row : rows) {
    folder_.write("compile_commands.json", "[" + good + "," + row.entry + "]");
    const auto commands = load_compile_database(folder_.path(), nullptr);
    ASSERT_EQ(commands.size(), 2u) << row.entry;
    EXPECT_EQ(commands[0].problem, "");
    EXPECT_EQ(commands[1].file, row.file);
    EXPECT_NE(commands[1].problem.find(row.says), std::string::npos) << commands[1].problem;
    EXPECT_THROW(translate(commands[1], Toolchain{}), std::runtime_error);
  }
}

// File systems hold names in any encoding, and generators write them as they are, or as Python does.
TEST_F(InFolder, ANameThatIsNoUtf8IsItsBytes) {
  const std::string good = R"({"directory": "/p", "file": "good.cu", "command": "nvcc -c good.cu"})";
  const struct {
    std::string written, file;
  } rows[] = {
      {"mod\xE8le.cu", "mod\xE8le.cu"},
      {"mod\\udce8le.cu", "mod\xE8le.cu"},
      {"\xC3", "\xC3"},
      {"\xED\xA0\x80.cu", "\xED\xA0\x80.cu"},
      {"\xF4\x8F\xBF\xA8.cu", "\xF4\x8F\xBF\xA8.cu"},
      {"\\\\ud800 \\ud83d\\ude00.cu", "\\ud800 \xF0\x9F\x98\x80.cu"},
      {"\\u00e8.cu", "\xC3\xA8.cu"},
  };
  for (const auto& row : rows) {
    folder_.write("compile_commands.json", "[" + good + R"(, {"directory": "/p", "file": ")" + row.written +
                                               R"(", "arguments": ["nvcc", "-c", ")" + row.written + "\"]}]");
    const auto commands = load_compile_database(folder_.path(), nullptr);
    ASSERT_EQ(commands.size(), 2u) << row.file;
    EXPECT_EQ(commands[1].file, row.file);
    EXPECT_EQ(commands[1].arguments.back(), row.file);
    EXPECT_EQ(commands[1].problem, "");
  }
}

TEST_F(InFolder, MissingOnesSayWhatToDo) {
  EXPECT_NE(error_of(folder_.path() + "/none").find("no such file or folder"), std::string::npos);
  EXPECT_NE(error_of(folder_.path())
                .find("no compile_commands.json in this folder; name another one with -p, or make one with"),
            std::string::npos);
}

std::vector<CompileCommand> sample_database() {
  return {{"/p", "src/net.cu", {"nvcc", "-DCU", "-Iinc", "-x", "cu", "-c", "src/net.cu", "-o", "net.o"}},
          {"/p", "src/main.cpp", {"g++", "-DCPP", "-c", "src/main.cpp"}},
          {"/p", "lib/util.c", {"cc", "-DCC", "-c", "lib/util.c"}}};
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

UnitCommand guessed(const std::string& file, const std::vector<CompileCommand>& database) {
  const CompileCommand command = guess_command(file, database);
  EXPECT_EQ(command.file, file);
  Toolchain toolchain;
  toolchain.data_directory = "/share";
  return translate(command, toolchain);
}

TEST(Guess, BorrowsFromItsNearestSibling) {
  const struct {
    const char* file;
    Language language;
    const char* macro;
  } rows[] = {
      {"/p/src/other.cu", Language::kCuda, "CU"},  {"/p/src/net.cuh", Language::kCuda, "CU"},
      {"/p/src/net.h", Language::kCuda, "CU"},     {"/p/src/main.h", Language::kCxx, "CPP"},
      {"/p/src/other.cpp", Language::kCxx, "CPP"}, {"/p/lib/other.c", Language::kC, "CC"},
      {"/p/lib/util.h", Language::kC, "CC"},
  };
  for (const auto& row : rows) {
    const UnitCommand unit = guessed(row.file, sample_database());
    EXPECT_EQ(unit.language, row.language) << row.file;
    EXPECT_TRUE(holds(unit.clang_args, row.macro)) << row.file;
    EXPECT_EQ(unit.file, row.file);
  }
}

TEST(Guess, SiblingsFileIsNotReadInItsPlace) {
  const CompileCommand command = guess_command("/p/src/new.cu", sample_database());
  EXPECT_FALSE(holds(command.arguments, "src/net.cu"));
  EXPECT_EQ(command.arguments.back(), "/p/src/new.cu");
}

TEST(Guess, CudaFileAmongCxxSiblingsIsCuda) {
  const UnitCommand unit = guessed("/p/k.cu", {{"/p", "main.cpp", {"g++", "-DCPP", "-std=c++20", "-c", "main.cpp"}}});
  EXPECT_EQ(unit.language, Language::kCuda);
  EXPECT_TRUE(holds(unit.clang_args, "-std=c++20"));
}

TEST(Guess, WithoutADatabaseTheExtensionDecides) {
  TemporaryFolder folder;
  folder.write("include/x.h", "");
  fs::create_directories(folder.path() + "/.git");
  const std::string file = folder.write("src/a.cu", "");
  const UnitCommand unit = guessed(file, {});
  EXPECT_EQ(unit.language, Language::kCuda);
  EXPECT_TRUE(holds(unit.clang_args, folder.path() + "/include"));
  EXPECT_EQ(guessed("/p/a.cpp", {}).language, Language::kCxx);
  EXPECT_EQ(guessed("/p/a.c", {}).language, Language::kC);
  EXPECT_EQ(guessed("/p/a.cuh", {}).language, Language::kCuda);
}

}  // namespace
}  // namespace syncsniff::frontend
