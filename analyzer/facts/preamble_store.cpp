#include "analyzer/facts/preamble_store.h"

#include <cstring>
#include <filesystem>
#include <string_view>

#include "analyzer/content_hash.h"
#include "analyzer/facts/archive.h"
#include "analyzer/facts/build_stamp.h"
#include "analyzer/facts/cache_folder.h"
#include "analyzer/facts/include_search.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {

template <class A>
auto fields(A& a, Preamble::Header& h) {
  return a(h.name, h.path);
}
template <class A>
auto fields(A& a, Dependency& d) {
  return a(d.kind, d.path, d.size, d.hash, d.stamp, d.link);
}
template <class A>
auto fields(A& a, Preamble& p) {
  return a(p.headers, p.usable, p.names, p.sources, p.dependencies, p.unread_libraries);
}

namespace {

// A file consists of this head, the serialized `Facts`, and the precompiled header. The checksums ensure that Clang
// reads only a complete one, because Clang does not check what it reads.
struct Head {
  uint64_t sum = 0;  // of the rest of this head and of everything up to the precompiled header
  uint64_t described_bytes = 0;
  uint64_t precompiled_bytes = 0;
  uint64_t precompiled_sum = 0;
};

struct Description {
  std::string key;
  Preamble preamble;
};

template <class A>
auto fields(A& a, Description& d) {
  return a(d.key, d.preamble);
}

std::string_view view(llvm::StringRef text) { return {text.data(), text.size()}; }

uint64_t checksum_of(const Head& head, std::string_view described) {
  const uint64_t parts[] = {head.described_bytes, head.precompiled_bytes, head.precompiled_sum,
                            content_hash(described)};
  return content_hash({reinterpret_cast<const char*>(parts), sizeof parts});
}

void write(const std::string& path, Description& description, llvm::StringRef precompiled) {
  ByteWriter writer;
  writer(description);
  std::string described = writer.bytes();
  described.resize((described.size() + 15) / 16 * 16 + 16 - sizeof(Head) % 16);  // Clang needs aligned numbers
  Head head{0, described.size(), precompiled.size(), content_hash(view(precompiled))};
  head.sum = checksum_of(head, described);
  write_entry(path, {{reinterpret_cast<const char*>(&head), sizeof head}, described, view(precompiled)});
}

// Nothing unless the file is complete.
struct Parts {
  std::string_view described;
  llvm::StringRef precompiled;
};
std::optional<Parts> parts_of(llvm::StringRef file) {
  Head head;
  if (file.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, file.data(), sizeof head);
  const llvm::StringRef rest = file.substr(sizeof head);
  if (head.described_bytes > rest.size() || head.precompiled_bytes != rest.size() - head.described_bytes)
    return std::nullopt;
  const Parts parts{view(rest.take_front(head.described_bytes)), rest.substr(head.described_bytes)};
  if (checksum_of(head, parts.described) != head.sum || content_hash(view(parts.precompiled)) != head.precompiled_sum)
    return std::nullopt;
  return parts;
}

}  // namespace

std::string preamble_key(const frontend::UnitCommand& command, const std::string& root,
                         const std::vector<std::string>& headers) {
  std::string key;
  const auto add = [&](const std::string& text) { key += std::to_string(text.size()) + ":" + text + "\n"; };
  add(build_stamp());
  add(root);
  add(command.directory);
  for (const std::string& arg : command.clang_args) add(arg);
  add(folders_of_environment());
  add("preamble");
  for (const std::string& header : headers) add(header);
  return key;
}

PreambleStore::PreambleStore(std::string directory, const SourceTexts& texts, const ApiTable& apis)
    : directory_(std::move(directory)), texts_(texts), apis_(apis), files_(texts) {}

std::unique_ptr<KeptPreamble> PreambleStore::load(const std::string& path, const std::string& key) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || !why_not_regular(path).empty()) return nullptr;
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) return nullptr;
  const auto parts = parts_of((*file)->getBuffer());
  if (!parts) return nullptr;
  ByteReader reader(parts->described);
  Description description;
  reader(description);
  if (!reader.ok() || description.key != key) return nullptr;
  auto kept = std::make_unique<KeptPreamble>();
  switch (compare(description.preamble.dependencies, files_)) {
    case Freshness::kStale:
      return nullptr;
    case Freshness::kFresh:
      note_use(path);
      break;
    case Freshness::kFreshByContent:
      write(path, description, parts->precompiled);
      break;
  }
  kept->preamble_ = std::move(description.preamble);
  std::vector<std::string> names;
  for (const Preamble::Header& header : kept->preamble_.headers) names.push_back(header.name);
  kept->text_ = preamble_text(names);
  kept->precompiled_ = parts->precompiled;
  kept->file_ = std::move(*file);
  return kept;
}

const KeptPreamble* PreambleStore::find(const frontend::UnitCommand& command, const std::string& root,
                                        const std::vector<std::string>& headers) {
  if (directory_.empty() || headers.empty()) return nullptr;
  const std::string key = preamble_key(command, root, headers);
  const auto known = loaded_.find(key);
  if (known != loaded_.end()) return known->second.get();
  auto kept = load(directory_ + "/" + preamble_name(content_hash(key)), key);
  return kept ? (loaded_[key] = std::move(kept)).get() : nullptr;
}

const KeptPreamble* PreambleStore::make(const frontend::UnitCommand& command, const std::string& root,
                                        const std::vector<std::string>& headers) {
  if (directory_.empty() || headers.empty()) return nullptr;
  auto made = make_preamble(command, root, headers, texts_, apis_);
  if (!made) return nullptr;
  Description description{preamble_key(command, root, headers), std::move(made->preamble)};
  write(directory_ + "/" + preamble_name(content_hash(description.key)), description,
        {made->precompiled.data(), made->precompiled.size()});
  bound_preambles(directory_);
  made.reset();
  return find(command, root, headers);
}

void PreambleStore::give_up(const frontend::UnitCommand& command, const std::string& root,
                            const std::vector<std::string>& headers) {
  if (directory_.empty()) return;
  Description description{preamble_key(command, root, headers), {}};
  const IncludeSearch search(command);
  for (const std::string& header : headers) {
    const auto found = search.find(header, true, "");
    const auto hash = found ? files_.hash(found->path) : std::nullopt;
    if (!hash) continue;
    const FileState state = files_.state(found->path);
    using Kind = Dependency::Kind;
    description.preamble.dependencies.push_back({Kind::kContent, found->path, state.size, *hash, 0, state.link});
  }
  write(directory_ + "/" + preamble_name(content_hash(description.key)), description, {});
}

}  // namespace syncsniff::facts
