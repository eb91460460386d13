// What the command does when the files change under it; the rest is in tests/analyzer/output/cli_test.py.
#include "analyzer/fixes/fix_command.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "analyzer/content_hash.h"
#include "tests/hostile_text.h"

namespace syncsniff::fixes {
namespace {

namespace fs = std::filesystem;

class FixCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("fix_command." + std::to_string(::getpid()));
    fs::create_directories(folder_);
    ::setenv("SYNCSNIFF_DATA_DIR", SYNCSNIFF_SOURCE_DIR "/tests/analyzer/output/data", 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A source, as the analysis reads it.
  std::string write(const std::string& name, const std::string& text) {
    overwrite(name, text);
    contents_[(folder_ / name).string()] = content_hash(text);
    return (folder_ / name).string();
  }
  // What somebody else does to it meanwhile.
  void overwrite(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  // A finding at 2:3 of the file that deletes `length` bytes from `offset`.
  Finding finding(const std::string& file, unsigned offset, unsigned length) {
    Finding finding;
    finding.rule = "redundant-sync";
    finding.location = {file, 2, 3, 2, 9};
    finding.fix = {FixTier::kSafe, "delete it", {{file, offset, length, ""}}};
    return finding;
  }

  // The error, or "" when there was none.
  std::string run(const output::Analyse& analyse, bool dry_run = false) {
    output::Options options;
    options.command = output::Command::kFix;
    options.dry_run = dry_run;
    out_.str("");
    err_.str("");
    try {
      const auto with_contents = [&](const AnalysisOptions& asked) {
        FindingsDocument document = analyse(asked);
        document.contents = contents_;
        return document;
      };
      code_ = run_fix(options, with_contents, out_, err_);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  std::string text(const std::string& path) { return output::read_whole_file(path).value_or("<gone>"); }

  fs::path folder_;
  std::map<std::string, uint64_t> contents_;
  std::ostringstream out_, err_;
  int code_ = -1;
};

constexpr char kText[] = "a();\n  sync();\nb();\n";

TEST_F(FixCommand, Fixes) {
  std::string file = write("a.cu", kText);
  EXPECT_EQ(run([&](const AnalysisOptions&) {
              return FindingsDocument{{finding(file, 5, 10)}, {{file, "analysed", ""}}, {}};
            }),
            "");
  EXPECT_EQ(code_, 0);
  EXPECT_EQ(text(file), "a();\nb();\n");
}

// Its time says nothing: an archive, rsync or an editor may keep it, and another machine's clock may run ahead.
TEST_F(FixCommand, AFileEditedMeanwhileStopsEverything) {
  using FileTime = fs::file_time_type;
  const std::function<FileTime(FileTime)> times[] = {
      [](FileTime) { return FileTime::clock::now(); }, [](FileTime before) { return before; },
      [](FileTime before) { return before - std::chrono::hours(1000); },
      [](FileTime) { return FileTime::clock::now() + std::chrono::hours(1000); }};
  for (const auto& time : times) {
    for (const bool dry_run : {false, true}) {
      std::string first = write("a.cu", kText), second = write("b.cu", kText);
      std::string error = run(
          [&](const AnalysisOptions&) {
            const FileTime before = fs::last_write_time(second);
            overwrite("b.cu", "b();\n  sync();\na();\n");  // of the same length
            fs::last_write_time(second, time(before));
            return FindingsDocument{{finding(first, 5, 10), finding(second, 5, 10)}, {{first, "analysed", ""}}, {}};
          },
          dry_run);
      EXPECT_EQ(error, second + ": changed since it was read, nothing was written; run fix again");
      EXPECT_EQ(text(first), kText);
      EXPECT_EQ(text(second), "b();\n  sync();\na();\n");
    }
  }
}

TEST_F(FixCommand, AFileThatWasNeverReadWholeIsLeftAlone) {
  std::string file = write("a.cu", kText);
  contents_.clear();
  std::string error = run(
      [&](const AnalysisOptions&) { return FindingsDocument{{finding(file, 5, 10)}, {{file, "analysed", ""}}, {}}; });
  EXPECT_EQ(error, file + ": changed since it was read, nothing was written; run fix again");
  EXPECT_EQ(text(file), kText);
}

TEST_F(FixCommand, WhatTheBuildHasFetchedIsLeftAlone) {
  std::string own = write("a.cu", kText), fetched = write("_deps/lib-src/b.cu", kText);
  EXPECT_EQ(run([&](const AnalysisOptions&) {
              return FindingsDocument{{finding(own, 5, 10), finding(fetched, 5, 10)}, {{own, "analysed", ""}}, {}};
            }),
            "");
  EXPECT_EQ(code_, 1);
  EXPECT_EQ(text(own), "a();\nb();\n");
  EXPECT_EQ(text(fetched), kText);
  EXPECT_NE(out_.str().find("not fixed: the build has fetched this file"), std::string::npos) << out_.str();
}

TEST_F(FixCommand, AnEditPastTheEndStopsEverything) {
  std::string first = write("a.cu", kText), second = write("b.cu", kText);
  std::string error = run([&](const AnalysisOptions&) {
    return FindingsDocument{{finding(first, 5, 10), finding(second, 5, 100)}, {{first, "analysed", ""}}, {}};
  });
  EXPECT_EQ(error, second + ": changed since it was read, nothing was written; run fix again");
  EXPECT_EQ(text(first), kText);
}

// Clang counts a carriage return as a line's end, and others do not: the offset is what an edit goes by.
TEST_F(FixCommand, ACarriageReturnInACommentIsNoChange) {
  std::string file = write("a.cu", "a(); /* \r */\n  sync();\nb();\n");
  EXPECT_EQ(run([&](const AnalysisOptions&) {
              Finding moved = finding(file, 13, 10);
              moved.location.line = 3;
              return FindingsDocument{{moved}, {{file, "analysed", ""}}, {}};
            }),
            "");
  EXPECT_EQ(text(file), "a(); /* \r */\nb();\n");
}

TEST_F(FixCommand, AFileThatIsGoneIsAnError) {
  std::string file = (folder_ / "gone.cu").string();
  std::string error = run(
      [&](const AnalysisOptions&) { return FindingsDocument{{finding(file, 5, 10)}, {{"u.cu", "analysed", ""}}, {}}; });
  EXPECT_EQ(error, file + ": cannot be read, nothing was written; run fix again");
}

TEST_F(FixCommand, AReadOnlyFileIsNotReplaced) {
  std::string first = write("a.cu", kText), second = write("b.cu", kText);
  ASSERT_EQ(::chmod(second.c_str(), 0444), 0);
  auto analyse = [&](const AnalysisOptions&) {
    return FindingsDocument{{finding(first, 5, 10), finding(second, 5, 10)}, {{first, "analysed", ""}}, {}};
  };
  EXPECT_EQ(run(analyse), second + ": is read-only, nothing was written; make it writable and run fix again");
  EXPECT_EQ(text(first), kText);
  EXPECT_EQ(run(analyse, true), "");
}

TEST_F(FixCommand, NoMessageOrNameReachesTheTerminalAsItIs) {
  for (const std::string& word : test::hostile_texts()) {
    const std::string file = write("a.cu", "f();\n  wait();\n");
    const auto analyse = [&](const AnalysisOptions&) {
      FindingsDocument document;
      document.units = {{file, "analysed", ""}};
      document.findings = {test::hostile_finding(word), finding(file, 7, 7), finding(file, 7, 6)};
      for (Finding& one : document.findings) one.message = one.rule = word;
      return document;
    };
    for (const bool dry_run : {true, false}) {
      EXPECT_EQ(run(analyse, dry_run), "");
      EXPECT_EQ(test::unfit(out_.str()), "");
      EXPECT_EQ(test::unfit(err_.str()), "");
      EXPECT_NE((dry_run ? err_ : out_).str().find("manual fix: "), std::string::npos);
      EXPECT_NE((dry_run ? err_ : out_).str().find("not fixed: "), std::string::npos);
    }
    EXPECT_NE(out_.str().find(": fixed: "), std::string::npos) << out_.str();
  }
}

TEST_F(FixCommand, OverlapsAreToldAndLeftForTheNextRun) {
  std::string file = write("a.cu", kText);
  EXPECT_EQ(run([&](const AnalysisOptions&) {
              return FindingsDocument{{finding(file, 5, 10), finding(file, 7, 10)}, {{file, "analysed", ""}}, {}};
            }),
            "");
  EXPECT_EQ(code_, 1);
  EXPECT_EQ(err_.str(), "1 edit applied in 1 file; 1 finding needs a manual fix\n");
  EXPECT_EQ(text(file), "a();\nb();\n");
}

}  // namespace
}  // namespace syncsniff::fixes
