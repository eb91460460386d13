// Every C signature of the tables, compiled against the header that declares the function. The unit first uses each
// name (a function that is gone is an error) and then declares it as the table does (a mismatch is an error).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "rules/api_facts.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::read_text_file;
using test::Scratch;

struct Result {
  bool compiled = false;
  std::string messages;
};

Result compile(const Scratch& scratch, const std::string& code) {
  const std::string source = scratch.write("unit.c", code);
  const std::string log = scratch.path() + "/log";
  const std::string command = std::string(TEST_C_COMPILER) +
                              " -std=gnu11 -fsyntax-only -w -I'" TEST_CUDA_INCLUDE "' '" + source + "' 2> '" + log +
                              "'";
  Result result;
  result.compiled = std::system(command.c_str()) == 0;
  result.messages = read_text_file(log);
  return result;
}

// cuda.h keeps the older symbols of a name behind this macro, beside the newer ones.
std::string preamble(const std::string& header) {
  return "#define _GNU_SOURCE\n#define __CUDA_API_VERSION_INTERNAL\n#include <stdarg.h>\n#include <" + header + ">\n";
}

// The tables describe CUDA 13 and what goes with it; older headers say why they are not compared.
std::string version_guard(const std::string& header) {
  const bool cuda = header.starts_with("cuda") || header.starts_with("cublas");
  if (header == "nccl.h") return "#if NCCL_VERSION_CODE < 22800\n#error older than NCCL 2.28\n#endif\n";
  if (header == "cudnn.h") return "#if CUDNN_MAJOR < 9\n#error older than cuDNN 9\n#endif\n";
  if (cuda) return "#include <cuda.h>\n#if CUDA_VERSION < 13000\n#error older than CUDA 13\n#endif\n";
  return "";
}

using Facts = std::vector<const ApiFact*>;

std::string checking_unit(const std::string& header, const Facts& facts) {
  std::string code = preamble(header) + "void* uses(int i) {\n  switch (i) {\n";
  int i = 0;
  for (const ApiFact* fact : facts) {
    code += "    case " + std::to_string(i++) + ": return (void*)&" + fact->name + ";\n";
  }
  code += "  }\n  return 0;\n}\n";
  for (const ApiFact* fact : facts) {
    if (!fact->signature.empty()) code += "extern " + fact->signature + ";\n";
  }
  return code;
}

// C functions that today's headers declare, by header; C++ names and removed functions are left out.
const std::map<std::string, Facts>& c_functions() {
  static const ApiTable table = ApiTable::load(SYNCSNIFF_SOURCE_DIR "/rules/apis");
  static const std::map<std::string, Facts> functions = [] {
    std::map<std::string, Facts> by_header;
    for (const ApiFact& fact : table.all()) {
      const bool in_family = fact.signature.empty();
      const bool c_library = fact.library.starts_with("cu") || fact.library == "nccl";
      const bool has_c_name = fact.name != "cudaLaunchKernelEx";  // a template
      if (in_family && !(c_library && has_c_name)) continue;
      if (fact.removed_in.empty()) by_header[fact.header].push_back(&fact);
    }
    return by_header;
  }();
  return functions;
}

// The header that most functions of the library are declared in.
std::string header_of(const std::string& library) {
  std::map<std::string, size_t> counts;
  for (const auto& [header, facts] : c_functions()) {
    for (const ApiFact* fact : facts) counts[header] += fact->library == library;
  }
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::vector<std::string> headers() {
  std::vector<std::string> names;
  for (const auto& [header, facts] : c_functions()) names.push_back(header);
  return names;
}

class Signatures : public testing::TestWithParam<std::string> {};

TEST_P(Signatures, MatchTheInstalledHeader) {
  const std::string& header = GetParam();
  Scratch scratch;
  const Result probe = compile(scratch, preamble(header) + version_guard(header));
  if (!probe.compiled) {
    // An entry may name another header than its library does. Where that one is installed, this one must be, too.
    for (const ApiFact* fact : c_functions().at(header)) {
      const std::string main = header_of(fact->library);
      if (main == header || !compile(scratch, preamble(main) + version_guard(main)).compiled) continue;
      ADD_FAILURE() << fact->name << " names " << header << ", and " << main << " is installed: " << probe.messages;
      break;
    }
    GTEST_SKIP() << "no usable " << header << ": " << probe.messages.substr(0, probe.messages.find('\n'));
  }
  const Result result = compile(scratch, checking_unit(header, c_functions().at(header)));
  EXPECT_TRUE(result.compiled) << result.messages;
}

INSTANTIATE_TEST_SUITE_P(Headers, Signatures, testing::ValuesIn(headers()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

// cudaTypedefs.h has a type PFN_<name>_v<version> for each function that cuGetProcAddress gives.
std::string driver_types() {
  std::ifstream header(TEST_CUDA_INCLUDE "/cudaTypedefs.h");
  std::stringstream text;
  text << header.rdbuf();
  return text.str();
}

TEST(Versions, AreThoseOfTheInstalledHeader) {
  const std::string types = driver_types();
  if (types.find("_v13000") == std::string::npos) GTEST_SKIP() << "no cudaTypedefs.h of CUDA 13";
  // cuda.h renames one function to another from this version on, and has no type of its own for it.
  const std::set<std::pair<std::string, int>> renamed{{"cuGraphInstantiate", 12000}};
  static const ApiTable table = ApiTable::load(SYNCSNIFF_SOURCE_DIR "/rules/apis");
  for (const ApiFact& fact : table.all()) {
    for (const auto& [name, version] : fact.versions) {
      if (renamed.count({name, version})) continue;
      const std::string type = "PFN_" + name + "_v" + std::to_string(version);
      const size_t at = types.find(type);
      const bool whole = at != std::string::npos && !isdigit(static_cast<unsigned char>(types[at + type.size()]));
      EXPECT_TRUE(whole) << fact.name << ": cudaTypedefs.h has no " << type;
    }
  }
}

// A client that asks for a newer version of a wrapped function than the tables know would be given the wrapper of the
// older one, whose arguments may be others.
TEST(Versions, NoneOfAWrappedFunctionIsLeftOut) {
  const std::string types = driver_types();
  if (types.find("_v13000") == std::string::npos) GTEST_SKIP() << "no cudaTypedefs.h of CUDA 13";
  static const ApiTable table = ApiTable::load(SYNCSNIFF_SOURCE_DIR "/rules/apis");
  std::map<std::string, std::set<int>> known;
  for (const ApiFact& fact : table.all()) {
    for (const auto& [name, version] : fact.versions) {
      if (!fact.call_class.empty()) known[name].insert(version);
    }
  }
  const std::regex type(R"(\*PFN_(\w+?)_v(\d+)\))");
  std::map<std::string, std::set<int>> typed;
  for (std::sregex_iterator it(types.begin(), types.end(), type), end; it != end; ++it)
    typed[(*it)[1].str()].insert(std::stoi((*it)[2].str()));
  EXPECT_GT(typed.size(), 300u);
  for (const auto& [name, versions] : known) {
    for (int version : typed[name]) {
      EXPECT_TRUE(version < *versions.begin() || versions.count(version))
          << "cudaTypedefs.h has PFN_" << name << "_v" << version << "; cuda_driver.yaml has " << name
          << " and no entry for this version";
    }
  }
}

// The check itself can fail: a wrong type and a function that is not there.
TEST(SignatureCheck, CatchesAWrongTypeAndAMissingFunction) {
  Scratch scratch;
  ApiFact fact;
  fact.name = "malloc";
  fact.signature = "void* malloc(size_t size)";
  EXPECT_TRUE(compile(scratch, checking_unit("stdlib.h", {&fact})).compiled);
  fact.signature = "void* malloc(int size)";
  EXPECT_FALSE(compile(scratch, checking_unit("stdlib.h", {&fact})).compiled);
  fact.name = "mallow";
  fact.signature = "void* mallow(size_t size)";
  EXPECT_FALSE(compile(scratch, checking_unit("stdlib.h", {&fact})).compiled);
}

}  // namespace
}  // namespace syncsniff
