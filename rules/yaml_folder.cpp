// Loads folders of tables. Their parsed form, tables.bin, saves a pre-commit hook the 40 ms that yaml-cpp takes.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "rules/data_error.h"
#include "rules/regular_file.h"
#include "rules/yaml_tree.h"

namespace syncsniff {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCompiledName = "tables.bin";
constexpr uint64_t kCompiledMagic = 0x34304c4d41595353;  // "SSYAML04"; also detects another byte order

// The entry of one file in tables.bin, followed by its name, nodes and text.
struct CompiledHeader {
  uint64_t source_hash, source_bytes, body_hash;
  uint32_t name_bytes, node_count, text_bytes, reserved;
};

struct Compiled {
  CompiledHeader header;
  const char* body;
};

// If another standard library computes other hashes, no entry in the file matches, and the YAML is read.
uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

std::vector<fs::path> yaml_files(const std::string& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".yaml") files.push_back(it->path());
  }
  if (error) throw DataError(directory, 0, "", "cannot read the folder: " + error.message());
  if (files.empty()) throw DataError(directory, 0, "", "holds no .yaml file");
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_yaml(const fs::path& file) {
  std::string problem;
  std::optional<std::string> text = read_regular_file(file.string(), problem);
  if (!text) throw DataError(file.string(), 0, "", "cannot read the file: " + problem);
  return std::move(*text);
}

// A truncated file, or one of another version, yields fewer documents, or none.
std::map<std::string, Compiled> read_compiled(const std::string& bytes) {
  std::map<std::string, Compiled> result;
  uint64_t magic = 0;
  if (bytes.size() < sizeof magic) return result;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  if (magic != kCompiledMagic) return result;
  size_t at = sizeof magic;
  while (bytes.size() - at >= sizeof(CompiledHeader)) {
    Compiled entry{};
    std::memcpy(&entry.header, bytes.data() + at, sizeof entry.header);
    at += sizeof entry.header;
    const uint64_t body =
        entry.header.name_bytes + uint64_t{entry.header.node_count} * sizeof(YamlNode) + entry.header.text_bytes;
    if (body > bytes.size() - at) return result;
    const std::string name = bytes.substr(at, entry.header.name_bytes);
    entry.body = bytes.data() + at + entry.header.name_bytes;
    result[name] = entry;
    at += body;
  }
  return result;
}

std::optional<YamlDocument> from_compiled(const std::map<std::string, Compiled>& compiled, const fs::path& file,
                                          const std::string& source) {
  const auto found = compiled.find(file.filename().string());
  if (found == compiled.end()) return std::nullopt;
  const CompiledHeader& header = found->second.header;
  if (header.source_bytes != source.size() || header.source_hash != hash_of(source)) return std::nullopt;
  const size_t body_bytes = header.node_count * sizeof(YamlNode) + header.text_bytes;
  if (header.body_hash != hash_of({found->second.body, body_bytes})) return std::nullopt;  // damaged
  std::vector<YamlNode> nodes(header.node_count);
  std::memcpy(nodes.data(), found->second.body, nodes.size() * sizeof(YamlNode));
  std::string text(found->second.body + nodes.size() * sizeof(YamlNode), header.text_bytes);
  try {
    return YamlDocument(file.string(), std::move(text), std::move(nodes));
  } catch (const std::runtime_error&) {
    return std::nullopt;  // damaged: the YAML itself is used instead
  }
}

template <typename T>
void append(std::string& bytes, const T* data, size_t count) {
  bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

}  // namespace

std::vector<YamlDocument> load_yaml_folder(const std::string& directory) {
  const std::vector<fs::path> files = yaml_files(directory);
  std::string ignored;  // tables.bin only saves time; without it the YAML is read
  const std::string bytes = read_regular_file((fs::path(directory) / kCompiledName).string(), ignored).value_or("");
  const std::map<std::string, Compiled> compiled = read_compiled(bytes);
  std::vector<YamlDocument> documents;
  for (const fs::path& file : files) {
    const std::string source = read_yaml(file);
    std::optional<YamlDocument> document = from_compiled(compiled, file, source);
    documents.push_back(document ? std::move(*document) : YamlDocument::parse(file.string(), source));
  }
  return documents;
}

void compile_yaml_folder(const std::string& directory) {
  std::string bytes;
  append(bytes, &kCompiledMagic, 1);
  for (const fs::path& file : yaml_files(directory)) {
    const std::string source = read_yaml(file);
    const YamlDocument document = YamlDocument::parse(file.string(), source);
    const std::string name = file.filename().string();
    std::string body;
    append(body, document.nodes().data(), document.nodes().size());
    body += document.text();
    const CompiledHeader header{hash_of(source),
                                source.size(),
                                hash_of(body),
                                static_cast<uint32_t>(name.size()),
                                static_cast<uint32_t>(document.nodes().size()),
                                static_cast<uint32_t>(document.text().size()),
                                /*reserved=*/0};
    append(bytes, &header, 1);
    bytes += name;
    bytes += body;
  }
  // Renamed into place, so that a hook that starts meanwhile sees either the old file or the new one.
  const fs::path path = fs::path(directory) / kCompiledName;
  const fs::path temporary = path.string() + ".new";
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) throw DataError(temporary.string(), 0, "", "cannot write the file");
  fs::rename(temporary, path);
}

}  // namespace syncsniff
