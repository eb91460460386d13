// Writes the C declarations of one API table as a header for machines that lack the library:
//   syncsniff-api-headers <folder of api tables> <library> <out> <header of known types>...
// Runs at build time. A type that the known headers do not name is declared incomplete.
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rules/api_facts.h"

namespace {

using Words = std::set<std::string>;
constexpr int kClaimedVersion = 12080;  // CUDA_VERSION in fallback/cuda.h

std::vector<std::string> identifiers(const std::string& text) {
  std::vector<std::string> out;
  for (size_t i = 0; i < text.size();) {
    if (!std::isalpha(static_cast<unsigned char>(text[i])) && text[i] != '_') {
      ++i;
      continue;
    }
    const size_t start = i;
    while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_')) ++i;
    out.push_back(text.substr(start, i - start));
  }
  return out;
}

const Words& language_words() {
  static const Words kWords = {"const",  "void",    "int",      "unsigned", "long",    "short", "char",
                               "float",  "double",  "signed",   "struct",   "enum",    "union", "bool",
                               "size_t", "int64_t", "uint64_t", "int32_t",  "uint32_t"};
  return kWords;
}

Words read_known(int argc, char** argv, int first) {
  Words known = language_words();
  for (int i = first; i < argc; ++i) {
    std::ifstream file(argv[i]);
    if (!file) throw std::runtime_error(std::string(argv[i]) + ": cannot be read");
    for (std::string line; std::getline(file, line);)
      for (std::string& word : identifiers(line.substr(0, line.find("//")))) known.insert(std::move(word));
  }
  return known;
}

// Top-level parameters of a prototype, as written.
std::vector<std::string> parameters(const std::string& signature) {
  std::vector<std::string> out;
  const size_t open = signature.find('(');
  std::string current;
  int depth = 0;
  for (size_t i = open + 1; i + 1 < signature.size(); ++i) {
    depth += signature[i] == '(' ? 1 : signature[i] == ')' ? -1 : 0;
    if (signature[i] == ',' && depth == 0) {
      out.push_back(current);
      current.clear();
    } else {
      current += signature[i];
    }
  }
  out.push_back(current);
  return out;
}

void declare_unknown_types(const std::string& parameter, Words& known, std::ostream& out) {
  if (parameter.find('(') != std::string::npos) return;
  std::vector<std::string> words = identifiers(parameter);
  if (words.size() > 1) words.pop_back();  // the parameter's name
  std::string tag;
  for (const std::string& word : words) {
    if (known.insert(word).second)
      out << (tag == "enum" ? "enum " + word + " { " + word + "_unknown };"
                            : "typedef struct " + word + " " + word + ";")
          << "\n";
    tag = word;
  }
}

// The real headers have default arguments for a stream, flags or an offset at the end of the list; so do ours.
std::string with_defaults(const std::string& signature) {
  const std::vector<std::string> list = parameters(signature);
  size_t first_default = list.size();
  static const Words kDefaulted = {"stream", "flags", "Flags", "offset", "sharedMem", "hStream"};
  while (first_default > 0) {
    const std::vector<std::string> words = identifiers(list[first_default - 1]);
    if (words.empty() || !kDefaulted.count(words.back())) break;
    --first_default;
  }
  std::string out = signature.substr(0, signature.find('(') + 1);
  for (size_t i = 0; i < list.size(); ++i)
    out += (i ? "," : "") + list[i] + (i >= first_default ? " SYNCSNIFF_DEFAULT(0)" : "");
  return out + ")";
}

// Routines of a cuBLAS or cuDNN family have facts but no signature: they are declared with any arguments.
std::string loose_signature(const syncsniff::ApiFact& fact) {
  return fact.library + "Status_t " + fact.name + "(" + fact.library + "Handle_t handle, ...)";
}

using Newest = std::map<std::string, std::pair<int, std::string>>;  // public name -> version, symbol

// cuMemFree is a macro for cuMemFree_v2, as cublasSgemm is for cublasSgemm_v2. If there are several versions, the
// newest one up to kClaimedVersion is used.
void add_aliases(const syncsniff::ApiFact& fact, Newest& newest) {
  auto offer = [&](const std::string& name, int version) {
    auto& best = newest[name];
    if (version >= best.first) best = {version, fact.name};
  };
  for (const auto& [name, version] : fact.versions)
    if (version <= kClaimedVersion) offer(name, version);
  const size_t suffix = fact.name.find("_v2");
  if (fact.versions.empty() && suffix != std::string::npos)
    offer(fact.name.substr(0, suffix) + fact.name.substr(suffix + 3), 1);
}

void write_header(const syncsniff::ApiTable& table, const std::string& library, Words known, std::ostream& out) {
  std::ostringstream types, functions, aliases;
  Newest newest;
  for (const syncsniff::ApiFact& fact : table.all()) {
    if (fact.library != library || fact.name.find("::") != std::string::npos || known.count(fact.name)) continue;
    const bool loose = fact.signature.empty();
    if (loose && library != "cublas" && library != "cudnn") continue;
    if (!loose)
      for (const std::string& parameter : parameters(fact.signature)) declare_unknown_types(parameter, known, types);
    functions << (loose ? loose_signature(fact) : with_defaults(fact.signature)) << ";\n";
    add_aliases(fact, newest);
  }
  for (const auto& [name, symbol] : newest)
    if (name != symbol.second) aliases << "#define " << name << " " << symbol.second << "\n";
  out << "// Generated from rules/apis/" << library << ".yaml; edit that.\n#pragma once\n\n"
      << types.str() << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
      << functions.str() << "#ifdef __cplusplus\n}\n#endif\n"
      << aliases.str();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) throw std::runtime_error("usage: syncsniff-api-headers TABLES LIBRARY OUT [KNOWN_TYPES...]");
  std::ofstream out(argv[3]);
  write_header(syncsniff::ApiTable::load(argv[1]), argv[2], read_known(argc, argv, 4), out);
  out.close();
  if (!out) throw std::runtime_error(std::string(argv[3]) + ": cannot be written");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "syncsniff-api-headers: error: %s\n", error.what());
  return 2;
}
