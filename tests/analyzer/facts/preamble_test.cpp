// Units that are read with a preamble: their facts are the same to the byte, and a preamble that does not suit a unit,
// is damaged or out of date costs time alone.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "analyzer/facts/archive.h"
#include "analyzer/facts/include_weight.h"
#include "analyzer/facts/leading_includes.h"
#include "analyzer/facts/preamble_store.h"
#include "analyzer/facts/unit.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr const char* kLibrary =
    "#ifndef LIBRARY_H\n#define LIBRARY_H\n"
    "#include <memory>\n#include <vector>\n#include <functional>\n"
    "#define EACH(i, n) for (int i = 0; i < (n); ++i)\n"
    "#define TWO(name) int name##_a = 0; int name##_b = name##_a\n"
    "namespace library {\n"
    "constexpr int kBatch = 4 * 8;\n"
    "inline int steps() { int sum = 0; EACH(i, 3) sum += i; return sum; }\n"
    "constexpr bool even(int x) { return x % 2 == 0; }\n"
    "template <class T> struct Holder { T* value = nullptr; T* get() const { return value; } auto twice() { return 2; "
    "} };\n"
    "struct Module { virtual ~Module() = default; virtual void forward(float* x) = 0; bool training = true; };\n"
    "template <class F> void run(F f) { f(steps()); }\n"
    "inline std::vector<int> loader(int n) { return std::vector<int>(n); }\n"
    "}\n#endif\n";

constexpr const char* kStepHeader =
    "// The project's own.\n#pragma once\n#include <library.h>\n"
    "namespace project {\n"
    "struct Net : library::Module {\n"
    "  void forward(float* x) override;\n"
    "  float* weights = nullptr;\n  bool ready = false;\n"
    "};\n"
    "inline int doubled(int x) { int y = x; { int y = 2 * x; x += y; } return x + y; }\n"
    "template <class T> T sum(const std::vector<T>& all) { T out{}; for (const T& one : all) out += one; return out; "
    "}\n"
    "}\n";

constexpr const char* kUnit =
    "/* licence */\n#include \"step.h\"\n#include <library.h>\n#include <cassert>\n#include <cstdlib>\n"
    "static float* table[] = {nullptr, nullptr};\n"
    "void project::Net::forward(float* x) {\n"
    "  if (!ready) { weights = static_cast<float*>(malloc(sizeof(float) * library::kBatch)); ready = true; }\n"
    "  EACH(step, library::steps()) { TWO(pair); if (library::even(step)) weights[step] = x[step] + pair_b; }\n"
    "  assert(x);\n"
    "}\n"
    "int train(project::Net& net, std::shared_ptr<int> shared) {\n"
    "  library::Holder<float> holder;\n"
    "  for (int one : library::loader(9)) {\n"
    "    auto call = [&](int n) { net.forward(holder.get()); return n + one; };\n"
    "    library::run(call);\n"
    "    for (int i = 0; i < project::doubled(one); ++i) { float* x = holder.get(); table[i % 2] = x; }\n"
    "    for (int i = 0; i < 2; ++i) { float* x = table[i]; net.weights = x; }\n"
    "  }\n"
    "  return project::sum(std::vector<int>{*shared, holder.twice()});\n"
    "}\n";

class PreambleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::canonical(fs::temp_directory_path()) / ("preamble_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "project");
    fs::create_directories(folder_ / "other");
    fs::create_directories(folder_ / "cache");
    write("other/library.h", kLibrary);
    write("project/step.h", kStepHeader);
    write("project/unit.cpp", kUnit);
    command_ = command({"g++", "-std=c++17", "-c", "unit.cpp"}, "unit.cpp");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string root() const { return (folder_ / "project").string() + "/"; }

  frontend::UnitCommand command(std::vector<std::string> arguments, const std::string& file) const {
    arguments.insert(arguments.end(), {"-I", (folder_ / "other").string()});
    return frontend::translate({root(), root() + file, std::move(arguments)}, frontend::find_toolchain());
  }

  Names leading() const { return leading_includes(command_, root(), {}); }
  PreambleStore store() const { return PreambleStore((folder_ / "cache").string(), texts_, apis_); }

  static std::string bytes_of(UnitFacts unit) {
    ByteWriter writer;
    writer(unit);
    return writer.bytes();
  }
  // Where two facts begin to differ, with what stands around; empty: nowhere.
  static std::string difference(const UnitFacts& one, const UnitFacts& other) {
    const std::string a = bytes_of(one), b = bytes_of(other);
    if (a == b) return "";
    const auto at = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    const size_t from = at > 150 ? at - 150 : 0;
    return testing::PrintToString(a.substr(from, 250)) + "\nthe other\n" + testing::PrintToString(b.substr(from, 250));
  }
  UnitFacts read_without() const {
    UnitFacts unit = read_unit(command_, root(), apis_);
    EXPECT_EQ(unit.error_count, 0u) << (unit.errors.empty() ? "" : unit.errors.front());
    EXPECT_FALSE(unit.functions.empty());
    return unit;
  }
  std::optional<UnitFacts> read_after(const KeptPreamble& preamble) const {
    UnitInputs inputs;
    return read_unit_after(preamble.use(), command_, root(), apis_, inputs);
  }
  void expect_same_facts(const Names& headers) {
    PreambleStore kept = store();
    const KeptPreamble* preamble = kept.make(command_, root(), headers);
    ASSERT_TRUE(preamble && preamble->preamble().usable);
    const auto unit = read_after(*preamble);
    ASSERT_TRUE(unit);
    EXPECT_EQ(difference(*unit, read_without()), "");
  }
  // A preamble that is made of these headers, and that the unit may turn out not to begin with.
  bool suits(const Names& headers) {
    PreambleStore kept = store();
    const KeptPreamble* preamble = kept.make(command_, root(), headers);
    return preamble && preamble->preamble().usable && read_after(*preamble);
  }
  bool usable(const Names& headers) {
    PreambleStore kept = store();
    const KeptPreamble* preamble = kept.make(command_, root(), headers);
    return preamble && preamble->preamble().usable;
  }
  bool is_kept(const Names& headers) const { return store().find(command_, root(), headers) != nullptr; }
  fs::path kept_file() const { return fs::directory_iterator(folder_ / "cache")->path(); }

  fs::path folder_;
  frontend::UnitCommand command_;
  const SourceTexts texts_;
  const ApiTable apis_ = ApiTable::load(data_directory() + "/rules/apis");
};

TEST_F(PreambleTest, FactsAreTheSame) {
  EXPECT_EQ(leading(), Names{"library.h"});
  expect_same_facts(leading());
  write("project/unit.cpp", "#include <library.h>\n#include <cassert>\n#include <cstdlib>\n" + std::string(kUnit));
  EXPECT_EQ(leading(), (Names{"library.h", "cassert", "cstdlib", "library.h"}));
  expect_same_facts(leading());
}

TEST_F(PreambleTest, FactsOfACudaUnitAreTheSame) {
  write("project/unit.cu",
        "#include \"step.h\"\n#include <cuda_runtime.h>\n"
        "__global__ void scale(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; "
        "}\n"
        "void train(project::Net& net, float* x, float* host, int n) {\n"
        "  EACH(step, library::steps()) {\n"
        "    scale<<<n / 256, 256>>>(x, n);\n"
        "    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
        "    library::run([&](int k) { net.weights[k] = host[k]; cudaDeviceSynchronize(); });\n"
        "  }\n"
        "}\n");
  command_ = command({"nvcc", "-std=c++17", "-c", "unit.cu"}, "unit.cu");
  EXPECT_EQ(leading(), Names{"library.h"});
  expect_same_facts(leading());
}

TEST_F(PreambleTest, ErrorsOfTheUnitAreTheSame) {
  write("project/unit.cpp", std::string(kUnit) + "void broken() { nowhere(1); missing_type x; }\n");
  PreambleStore kept = store();
  const KeptPreamble* preamble = kept.make(command_, root(), leading());
  ASSERT_TRUE(preamble && preamble->preamble().usable);
  const auto unit = read_after(*preamble);
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->error_count, 2u);
  EXPECT_EQ(difference(*unit, read_unit(command_, root(), apis_)), "");
}

TEST_F(PreambleTest, LeadingIncludesEndWhereSomethingElseBegins) {
  write("project/unit.cpp", "#include <library.h>\n#define SLOW\n#include <vector>\n");
  EXPECT_EQ(leading(), Names{"library.h"});
  write("project/unit.cpp", "#include <vector>\nint x;\n#include <library.h>\n");
  EXPECT_EQ(leading(), Names{"vector"});
  write("project/unit.cpp", "#if SLOW\n#include <library.h>\n#endif\n");
  EXPECT_EQ(leading(), Names{});
  write("project/unit.cpp", "#include <vector>\n#include <not/there.h>\n#include <library.h>\n");
  EXPECT_EQ(leading(), Names{"vector"});
  write("project/step.h", "#ifndef STEP_H\n#define STEP_H\n#include <library.h>\n#endif\n");
  write("project/unit.cpp", "#include \"step.h\"\n#include <vector>\nint x;\n");
  EXPECT_EQ(leading(), (Names{"library.h", "vector"}));
  write("project/unit.cpp", "#include \"step.h\"\n#include");
  EXPECT_EQ(leading(), Names{"library.h"});
  write("project/unit.cpp", "");
  EXPECT_EQ(leading(), Names{});
}

TEST_F(PreambleTest, AUnitThatDoesNotBeginWithItIsReadWithout) {
  write("project/unit.cpp", "#include <vector>\n#include <library.h>\nint x = library::kBatch;\n");
  EXPECT_FALSE(suits({"library.h"}));
  EXPECT_TRUE(suits({"vector"}));
  EXPECT_TRUE(suits({"vector", "library.h"}));
  for (const char* before : {"#define SLOW\n#ifdef SLOW\n#endif\n", "int first;\n", "#pragma pack(1)\n",
                             "#if 1\n#endif\n", "#undef EACH\n", "#define EACH 1\n", "#ifndef LIBRARY_H\n#endif\n"}) {
    write("project/unit.cpp", before + std::string("#include <library.h>\nint x = library::kBatch;\n"));
    EXPECT_FALSE(suits({"library.h"})) << before;
  }
}

TEST_F(PreambleTest, HeadersThatCannotBePrecompiledAreRemembered) {
  write("other/plain.h", "struct Plain {};\n");
  EXPECT_FALSE(usable({"plain.h"})) << "has to be read again wherever it is included";
  EXPECT_TRUE(is_kept({"plain.h"}));
  EXPECT_FALSE(usable({"not/there.h"}));
  write("other/error.h", "#pragma once\nint x = nowhere;\n");
  EXPECT_FALSE(usable({"error.h"}));
  write("other/uses_project.h", "#pragma once\n#include \"../project/step.h\"\n");
  EXPECT_FALSE(usable({"uses_project.h"}));
}

TEST_F(PreambleTest, WhatWasGivenUpIsTriedAgainAfterAnEdit) {
  store().give_up(command_, root(), {"library.h"});
  PreambleStore kept = store();
  const KeptPreamble* preamble = kept.find(command_, root(), {"library.h"});
  ASSERT_TRUE(preamble);
  EXPECT_FALSE(preamble->preamble().usable);
  write("other/library.h", std::string(kLibrary) + "// newer\n");
  EXPECT_FALSE(is_kept({"library.h"}));
}

TEST_F(PreambleTest, AnEditOfAHeaderMakesItStale) {
  ASSERT_TRUE(usable({"library.h"}));
  EXPECT_TRUE(is_kept({"library.h"}));
  fs::last_write_time(folder_ / "other/library.h", fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(is_kept({"library.h"})) << "touched";
  std::string text = kLibrary;
  text.replace(text.find("4 * 8"), 5, "4 * 9");
  write("other/library.h", text);
  EXPECT_FALSE(is_kept({"library.h"}));
}

TEST_F(PreambleTest, AHeaderThatAppearsInAnEarlierFolderMakesItStale) {
  command_ = command({"g++", "-c", "unit.cpp", "-I", (folder_ / "earlier").string()}, "unit.cpp");
  ASSERT_TRUE(usable({"library.h"}));
  EXPECT_TRUE(is_kept({"library.h"}));
  fs::create_directories(folder_ / "earlier");
  write("earlier/library.h", "#pragma once\n");
  EXPECT_FALSE(is_kept({"library.h"}));
}

TEST_F(PreambleTest, OtherOptionsAreOtherPreambles) {
  ASSERT_TRUE(usable({"library.h"}));
  command_.clang_args.push_back("-DNDEBUG");
  EXPECT_FALSE(is_kept({"library.h"}));
}

TEST_F(PreambleTest, DamageNeverGetsThrough) {
  ASSERT_TRUE(usable({"library.h"}));
  const fs::path file = kept_file();
  std::ifstream stream(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  const auto put = [&](const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; };
  for (size_t i = 0; i < 90; ++i) {
    std::string damaged = whole;
    const size_t at = i < 64 ? i : i * 7919 % whole.size();
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    put(damaged);
    EXPECT_FALSE(is_kept({"library.h"})) << at;
  }
  for (size_t i = 0; i < 20; ++i) {
    put(whole.substr(0, i * whole.size() / 20));
    EXPECT_FALSE(is_kept({"library.h"})) << i;
  }
  put(whole + "x");
  EXPECT_FALSE(is_kept({"library.h"}));
  put(whole);
  EXPECT_TRUE(is_kept({"library.h"}));
}

TEST_F(PreambleTest, NoFolderKeepsNothing) {
  PreambleStore none("", texts_, apis_);
  EXPECT_EQ(none.make(command_, root(), {"library.h"}), nullptr);
  EXPECT_EQ(none.find(command_, root(), {"library.h"}), nullptr);
}

TEST_F(PreambleTest, OnlyLongHeadersAreWorthOne) {
  EXPECT_EQ(heavy_part({"library.h"}, command_), Names{});
  write("other/long.h", "#pragma once\n#include \"longer.h\"\n");
  write("other/longer.h", "#pragma once\n//" + std::string(8u << 20, 'x') + "\n");
  EXPECT_EQ(heavy_part({"vector", "library.h", "long.h", "string"}, command_),
            (Names{"vector", "library.h", "long.h"}));
}

}  // namespace
}  // namespace syncsniff::facts
