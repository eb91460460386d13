#include "analyzer/fixes/replacements_yaml.h"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "analyzer/output/source_text.h"
#include "rules/untrusted_text.h"

namespace syncsniff::fixes {
namespace {

using output::real_path;
using Json = nlohmann::ordered_json;

// A JSON string is a valid double-quoted string in YAML.
std::string yaml_quoted(const std::string& text) {
  try {
    return guard_json(Json(text).dump());
  } catch (const Json::exception&) {
    throw std::runtime_error("--export-fixes: '" + printable(text) + "' is not UTF-8, which YAML cannot hold");
  }
}

// In messages, bytes that are not UTF-8 are replaced: they are only for people, and must not prevent the export.
std::string quoted_message(const std::string& text) {
  return guard_json(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

size_t offset_of(const Location& location, const std::map<std::string, std::string>& texts) {
  const auto text = texts.find(real_path(location.file));
  if (text == texts.end() || location.line == 0) return 0;
  const output::SourceText source(text->second);
  return source.line_start(location.line) + (location.column > 0 ? location.column - 1 : 0);
}

}  // namespace

std::string replacements_yaml(const EditPlan& plan, const std::map<std::string, std::string>& texts) {
  std::set<std::tuple<std::string, unsigned, unsigned>> written;
  std::string list;
  for (const Finding* finding : plan.fixed) {
    std::string replacements;
    for (const Edit& edit : finding->fix.edits) {
      const std::string path = real_path(edit.file);
      if (!written.emplace(path, edit.offset, edit.length).second) continue;
      replacements += "        - FilePath: " + yaml_quoted(path) +
                      "\n          Offset: " + std::to_string(edit.offset) +
                      "\n          Length: " + std::to_string(edit.length) +
                      "\n          ReplacementText: " + yaml_quoted(edit.replacement) + "\n";
    }
    list += "  - DiagnosticName: " + yaml_quoted("syncsniff-" + finding->rule) +
            "\n    DiagnosticMessage:\n      Message: " + quoted_message(finding->message) +
            "\n      FilePath: " + yaml_quoted(real_path(finding->location.file)) +
            "\n      FileOffset: " + std::to_string(offset_of(finding->location, texts)) +
            "\n      Replacements:" + (replacements.empty() ? " []\n" : "\n" + replacements) + "    Level: Warning\n";
  }
  return "---\nMainSourceFile: ''\nDiagnostics:" + (list.empty() ? " []\n" : "\n" + list) + "...\n";
}

}  // namespace syncsniff::fixes
