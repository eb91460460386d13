#include "rules/api_facts.h"

#include <filesystem>

#include "rules/api_reader.h"
#include "rules/data_error.h"
#include "rules/regular_file.h"
#include "rules/schema_reader.h"

namespace syncsniff {
namespace {

void add_new(ApiTable& table, const YamlView& at, ApiFact fact) {
  if (const ApiFact* before = table.find(fact.name); before != nullptr && before->name == fact.name) {
    fail_at(at, fact.name, "given twice, first in " + before->library + ".yaml");
  }
  table.add(std::move(fact));
}

// Adds many names with the same facts, each in every given namespace: {names: [sum, mean], namespaces: ["at::"], facts:
// {...}}.
void add_family(ApiTable& table, const YamlView& view, const std::string& library, const std::string& header) {
  SchemaReader family(view, "families");
  const YamlView names = family.required("names");
  const YamlView facts = family.required("facts");
  const auto namespaces_view = family.optional("namespaces");
  family.finish();
  const std::vector<std::string> namespaces =
      namespaces_view ? read_text_list(*namespaces_view, "namespaces") : std::vector<std::string>{""};
  const ApiFact shared = read_api_fact("this family", facts, library, header);
  if (!shared.signature.empty()) fail_at(facts, "signature", "belongs to one function, not to a family");
  for (const std::string& name : read_text_list(names, "names")) {
    for (const std::string& space : namespaces) {
      ApiFact fact = shared;
      fact.name = space + name;
      add_new(table, names, std::move(fact));
    }
  }
}

void load_file(ApiTable& table, const YamlDocument& document) {
  SchemaReader file((YamlView(document)), "the file");
  const YamlView library_view = file.required("library");
  const std::string library = read_text(library_view, "library");
  const std::string stem = std::filesystem::path(document.file()).stem().string();
  if (library != stem) fail_at(library_view, "library", "'" + library + "' is not the file's name, '" + stem + "'");
  const auto header = file.optional("header");
  const std::string default_header = header ? read_text(*header, "header") : "";
  if (const auto types = file.optional("status_types"))
    for (std::string& type : read_text_list(*types, "status_types")) table.add_status_type(std::move(type));
  const YamlView functions = file.required("functions");
  const auto families = file.optional("families");
  file.finish();
  if (functions.kind() != YamlKind::kMap) fail_at(functions, "functions", "must be a map from names to facts");
  for (uint32_t i = 0; i < functions.size(); ++i) {
    const std::string name = read_text(functions.key(i), "functions");
    add_new(table, functions.key(i), read_api_fact(name, functions.value(i), library, default_header));
  }
  if (!families) return;
  if (families->kind() != YamlKind::kSequence) fail_at(*families, "families", "must be a list");
  for (uint32_t i = 0; i < families->size(); ++i) add_family(table, families->element(i), library, default_header);
}

}  // namespace

ApiTable ApiTable::load(const std::string& directory) {
  ApiTable table;
  for (const YamlDocument& document : load_yaml_folder(directory)) load_file(table, document);
  return table;
}

void ApiTable::add_file(const std::string& file) {
  std::string problem;
  const std::optional<std::string> text = read_regular_file(file, problem);
  if (!text) throw DataError(file, 0, "", problem);
  load_file(*this, YamlDocument::parse(file, *text, YamlDocument::Marks::kLinesAndColumns));
}

// Looks up the name as written; else without the suffix that --default-stream per-thread appends (cudaMemcpy_ptds);
// else as cuda.h and cublas_v2.h rename it (cuMemAlloc is cuMemAlloc_v2), since stand-in headers may declare the plain
// name.
const ApiFact* ApiTable::find(const std::string& qualified_name) const {
  const auto exact = by_name_.find(qualified_name);
  if (exact != by_name_.end()) return &facts_[exact->second];
  if (qualified_name.ends_with("_ptds") || qualified_name.ends_with("_ptsz")) {
    return find(qualified_name.substr(0, qualified_name.size() - 5));
  }
  const auto versioned = by_name_.find(qualified_name + "_v2");
  return versioned == by_name_.end() ? nullptr : &facts_[versioned->second];
}

void ApiTable::add(ApiFact fact) {
  const auto [place, is_new] = by_name_.try_emplace(fact.name, facts_.size());
  if (is_new) {
    facts_.push_back(std::move(fact));
  } else {
    facts_[place->second] = std::move(fact);
  }
}

const char* to_string(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kUnknown:
      return "unknown";
    case MemoryKind::kPageable:
      return "pageable";
    case MemoryKind::kPinned:
      return "pinned";
    case MemoryKind::kManaged:
      return "managed";
    case MemoryKind::kDevice:
      return "device";
  }
  return "unknown";
}

}  // namespace syncsniff
