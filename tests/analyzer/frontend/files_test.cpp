// Translation that looks at files: response and options files, forced includes, headers that shadow CUDA's.
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/frontend/command.h"
#include "tests/analyzer/frontend/temporary_folder.h"

namespace syncsniff::frontend {
namespace {

Toolchain plain_toolchain(const std::string& cuda_root = "") {
  Toolchain toolchain;
  toolchain.data_directory = "/share";
  toolchain.cuda_root = cuda_root;
  return toolchain;
}

size_t index_of(const std::vector<std::string>& words, const std::string& option, const std::string& value) {
  for (size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == option && words[i + 1] == value) return i;
  return words.size();
}

bool holds(const std::vector<std::string>& words, const std::string& option, const std::string& value) {
  return index_of(words, option, value) < words.size();
}

TEST(Files, CMakeOptionsFileHoldsTheIncludes) {
  TemporaryFolder folder;
  folder.write("CMakeFiles/x.dir/includes_CUDA.rsp", "-I\"/a b/inc\" -isystem=/sys\n-DQ=\\\"s\\\"\n");
  for (const char* option : {"--options-file", "-optf"}) {
    const UnitCommand unit =
        translate({folder.path(), "a.cu", {"nvcc", option, "CMakeFiles/x.dir/includes_CUDA.rsp", "-c", "a.cu"}},
                  plain_toolchain());
    EXPECT_TRUE(holds(unit.clang_args, "-I", "/a b/inc")) << option;
    EXPECT_TRUE(holds(unit.clang_args, "-isystem", "/sys")) << option;
    EXPECT_TRUE(holds(unit.clang_args, "-D", "Q=\"s\"")) << option;
  }
}

TEST(Files, OptionsFilesNestAndTakeLists) {
  TemporaryFolder folder;
  folder.write("one.opt", "-DONE --options-file=two.opt");
  folder.write("two.opt", "-DTWO");
  folder.write("three.opt", "-DTHREE");
  const UnitCommand unit =
      translate({folder.path(), "a.cu", {"nvcc", "-optf=one.opt,three.opt", "a.cu"}}, plain_toolchain());
  for (const char* macro : {"ONE", "TWO", "THREE"}) EXPECT_TRUE(holds(unit.clang_args, "-D", macro)) << macro;
}

TEST(Files, ResponseFileOfGcc) {
  TemporaryFolder folder;
  folder.write("all.rsp", "-DA=1 @more.rsp 'a.cpp'");
  folder.write("more.rsp", "-Iinc");
  const UnitCommand unit = translate({folder.path(), "a.cpp", {"g++", "@all.rsp"}}, plain_toolchain());
  EXPECT_TRUE(holds(unit.clang_args, "-D", "A=1"));
  EXPECT_TRUE(holds(unit.clang_args, "-I", folder.path() + "/inc"));
}

std::string error_of(const CompileCommand& command) {
  try {
    translate(command, plain_toolchain());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Files, MissingResponseFileIsNamed) {
  EXPECT_EQ(error_of({"/nowhere", "a.cpp", {"g++", "@gone.rsp"}}),
            "/nowhere/gone.rsp: response file cannot be read; build the project once so that it exists");
  EXPECT_EQ(error_of({"/nowhere", "a.cu", {"nvcc", "--options-file", "gone.opt"}}),
            "/nowhere/gone.opt: response file cannot be read; build the project once so that it exists");
}

TEST(Files, FilesThatIncludeThemselvesAreRefused) {
  TemporaryFolder folder;
  folder.write("loop.rsp", "@loop.rsp @loop.rsp");
  folder.write("loop.opt", "-optf loop.opt");
  EXPECT_NE(error_of({folder.path(), "a.cpp", {"g++", "@loop.rsp"}}).find("loop.rsp: response file includes itself"),
            std::string::npos);
  EXPECT_NE(error_of({folder.path(), "a.cu", {"nvcc", "-optf", "loop.opt"}}).find("includes itself"),
            std::string::npos);
}

TEST(Files, ForcedIncludeIsTakenFromTheWorkingFolderFirst) {
  TemporaryFolder folder;
  const std::string pre = folder.write("pre.h", "");
  const UnitCommand unit = translate(
      {folder.path(), "a.cpp", {"g++", "-include", "pre.h", "-include", "other.h", "a.cpp"}}, plain_toolchain());
  EXPECT_TRUE(holds(unit.clang_args, "-include", pre));
  EXPECT_TRUE(holds(unit.clang_args, "-include", "other.h"));
}

// As CMake writes target_precompile_headers() for Clang.
TEST(Files, AnIncludeForClangItselfIsForced) {
  TemporaryFolder folder;
  const std::string pre = folder.write("cmake_pch.hxx", "");
  const UnitCommand unit =
      translate({folder.path(),
                 "a.cpp",
                 {"clang++", "-Winvalid-pch", "-Xclang", "-include-pch", "-Xclang", "cmake_pch.hxx.pch", "-Xclang",
                  "-include", "-Xclang", "cmake_pch.hxx", "a.cpp"}},
                plain_toolchain());
  EXPECT_TRUE(holds(unit.clang_args, "-include", pre));
  EXPECT_FALSE(holds(unit.clang_args, "-include", folder.path() + "/cmake_pch.hxx.pch"));
}

TEST(Files, ProjectsOwnCudaHeaderDoesNotShadowCudas) {
  TemporaryFolder folder;
  folder.write("src/cuda.h", "");
  folder.write("inc/other.h", "");
  const UnitCommand unit =
      translate({folder.path(), "src/a.cu", {"nvcc", "-Iinc", "-Isrc", "src/a.cu"}}, plain_toolchain("/cuda"));
  const std::string src = folder.path() + "/src", inc = folder.path() + "/inc";
  EXPECT_TRUE(holds(unit.clang_args, "-iquote", src));
  EXPECT_FALSE(holds(unit.clang_args, "-iquote", inc));
  EXPECT_LT(index_of(unit.clang_args, "-I", "/cuda/include"), index_of(unit.clang_args, "-I", inc));
  const UnitCommand host = translate({folder.path(), "src/a.c", {"cc", "-Isrc", "src/a.c"}}, plain_toolchain("/cuda"));
  EXPECT_FALSE(holds(host.clang_args, "-iquote", src));
}

TEST(Files, ToolkitThatTheCommandNamesWins) {
  TemporaryFolder folder;
  folder.write("cuda/include/cuda_runtime.h", "");
  folder.write("cuda/include/crt/host_config.h", "");
  folder.write("cuda/bin/nvcc", "");
  const std::string include = folder.path() + "/cuda/include";
  const UnitCommand by_path =
      translate({"/p", "a.cu", {folder.path() + "/cuda/bin/nvcc", "a.cu"}}, plain_toolchain("/other"));
  EXPECT_TRUE(holds(by_path.clang_args, "-isystem", include));
  const UnitCommand by_include =
      translate({"/p", "a.cpp", {"g++", "-I" + include, "a.cpp"}}, plain_toolchain("/other"));
  EXPECT_TRUE(by_include.uses_cuda);
  EXPECT_FALSE(holds(by_include.clang_args, "-idirafter", "/other/include"));
}

}  // namespace
}  // namespace syncsniff::frontend
