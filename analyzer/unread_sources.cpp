#include "analyzer/unread_sources.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace syncsniff {

namespace fs = std::filesystem;

namespace {

// For include/conv.h: include/conv.cu, src/conv.cu, and so on; also in the folder of the unit that includes it.
std::vector<fs::path> possible_sources(const fs::path& header, const fs::path& unit) {
  std::set<fs::path> folders{header.parent_path(), unit.parent_path()};
  fs::path before;
  for (auto part = header.begin(); part != header.end(); ++part) {
    if (*part != "include" && *part != "inc") {
      before /= *part;
      continue;
    }
    fs::path behind;
    for (auto rest = std::next(part); rest != header.end(); ++rest) behind /= *rest;
    folders.insert((before / "src" / behind).parent_path());
    before /= *part;
  }
  std::vector<fs::path> out;
  for (const fs::path& folder : folders) {
    for (const char* extension : {".cu", ".cpp", ".cc", ".cxx", ".c"})
      out.push_back(folder / (header.stem().string() + extension));
  }
  return out;
}

// The first of the possible sources that is there; empty if none is, or if one of them was read.
std::string unread_source(const std::vector<fs::path>& possible, const std::set<std::string>& read) {
  const auto is_read = [&](const fs::path& source) { return read.count(source.string()) != 0; };
  if (std::ranges::any_of(possible, is_read)) return "";
  std::error_code error;
  const auto is_there = [&](const fs::path& source) { return fs::is_regular_file(source, error); };
  const auto found = std::ranges::find_if(possible, is_there);
  return found == possible.end() ? "" : found->string();
}

}  // namespace

std::vector<UnreadSource> unread_sources(const std::vector<facts::UnitFacts>& units) {
  std::set<std::string> read, wanted, defined, searched;
  for (const facts::UnitFacts& unit : units) {
    read.insert(unit.file);
    for (const facts::SourceContent& source : unit.sources) read.insert(source.file);
    for (const facts::Undefined& function : unit.undefined) wanted.insert(function.usr);
  }
  for (const facts::UnitFacts& unit : units) {
    for (const facts::Function& function : unit.functions)
      if (wanted.count(function.usr)) defined.insert(function.usr);
  }
  std::vector<UnreadSource> out;
  for (const facts::UnitFacts& unit : units) {
    for (const facts::Undefined& function : unit.undefined) {
      if (defined.count(function.usr) || !searched.insert(function.header).second) continue;
      const std::string source = unread_source(possible_sources(function.header.str(), unit.file.str()), read);
      if (!source.empty()) out.push_back({source, function.name, unit.file});
    }
  }
  return out;
}

}  // namespace syncsniff
