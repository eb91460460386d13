#include "analyzer/facts/cache_entry.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>

#include "analyzer/content_hash.h"
#include "analyzer/facts/archive.h"
#include "rules/regular_file.h"

#if !LLVM_ENABLE_ZSTD
#error "LLVM was built without zstd, which facts are compressed with"
#endif

namespace syncsniff::facts {

template <class A>
auto fields(A& a, UnitOutline& o) {
  return a(o.rest, o.has_main, o.defines, o.own, o.mentions, o.overrides);
}

namespace {

// Thousands of paths share prefixes: each is stored without the prefix that it shares with the previous one in its
// block.
struct PackedDependency {
  Dependency::Kind kind = Dependency::Kind::kContent;
  uint32_t shared = 0;
  std::string_view rest;
  uint64_t size = 0, hash = 0, stamp = 0, link = 0;
};

// Units of one project have long sequences of dependencies in common. Whether a block ends at a path depends on that
// path alone, so that most blocks of one unit also occur in others.
struct PackedBlock {
  uint64_t hash = 0;  // of the bytes
  std::string_view bytes;
};
constexpr uint64_t kBlockLength = 32;  // on average
bool ends_block(const Dependency& d) { return content_hash(d.path) % kBlockLength == 0; }

struct PackedEntry {
  std::string key;
  std::vector<PackedBlock> blocks;
};

template <class A>
auto fields(A& a, PackedDependency& d) {
  return a(d.kind, d.shared, d.rest, d.size, d.hash, d.stamp, d.link);
}
template <class A>
auto fields(A& a, PackedBlock& b) {
  return a(b.hash, b.bytes);
}
template <class A>
auto fields(A& a, PackedEntry& e) {
  return a(e.key, e.blocks);
}

std::string pack(const Dependency* begin, const Dependency* end) {
  std::vector<PackedDependency> out;
  std::string_view before;
  for (const Dependency* d = begin; d != end; ++d) {
    const std::string_view path = d->path;
    const size_t most = std::min(before.size(), path.size());
    const auto shared =
        static_cast<size_t>(std::mismatch(path.begin(), path.begin() + most, before.begin()).first - path.begin());
    out.push_back({d->kind, static_cast<uint32_t>(shared), path.substr(shared), d->size, d->hash, d->stamp, d->link});
    before = path;
  }
  ByteWriter writer;
  writer(out);
  return writer.bytes();
}

std::vector<std::string> pack(const std::vector<Dependency>& dependencies) {
  std::vector<std::string> blocks;
  for (const Dependency *d = dependencies.data(), *end = d + dependencies.size(), *begin = d; d != end; ++d) {
    if (d + 1 != end && !ends_block(*d)) continue;
    blocks.push_back(pack(begin, d + 1));
    begin = d + 1;
  }
  return blocks;
}

bool unpack(std::string_view block, std::vector<Dependency>& out) {
  ByteReader reader(block);
  std::vector<PackedDependency> packed;
  reader(packed);
  std::string path;
  for (const PackedDependency& d : packed) {
    if (d.shared > path.size()) return false;
    path.resize(d.shared);
    path += d.rest;
    out.push_back({d.kind, path, d.size, d.hash, d.stamp, d.link});
  }
  return reader.ok() && reader.at_end();
}

// Precedes each part of an entry: the part's size in bytes, and its checksum.
struct PartHead {
  uint64_t size = 0, sum = 0;
};

std::string with_sum(const std::string& bytes) {
  const PartHead head{bytes.size(), content_hash(bytes)};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + bytes;
}

// Takes the first part off the front of `bytes` and returns it; nothing if its checksum does not match.
std::optional<std::string_view> take_part(std::string_view& bytes) {
  PartHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (bytes.size() - sizeof head < head.size) return std::nullopt;
  const std::string_view part = bytes.substr(sizeof head, head.size);
  bytes.remove_prefix(sizeof head + head.size);
  return content_hash(part) == head.sum ? std::optional(part) : std::nullopt;
}

// Facts repeat the same texts and structures: compressed, an entry has a seventh of the size, and is read faster from
// disk.
std::string compressed(const std::string& bytes) {
  llvm::SmallVector<uint8_t, 0> out;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(bytes), out,
                                    llvm::compression::zstd::BestSpeedCompression);
  const uint64_t size = bytes.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) +
         std::string(reinterpret_cast<const char*>(out.data()), out.size());
}

std::optional<std::string> decompressed(std::string_view bytes) {
  uint64_t size = 0;
  if (bytes.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size > kMaxTextBytes) return std::nullopt;
  bytes.remove_prefix(sizeof size);
  std::string out(size, '\0');
  size_t got = size;
  llvm::Error error =
      llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(llvm::StringRef(bytes.data(), bytes.size())),
                                          reinterpret_cast<uint8_t*>(out.data()), got);
  const bool failed = static_cast<bool>(error);
  llvm::consumeError(std::move(error));
  return failed || got != size ? std::nullopt : std::optional(std::move(out));
}

// The outline in a head, if all dependencies hold.
std::optional<UnitOutline> fresh_outline(std::string_view head, const std::string& key, KnownFiles& files,
                                         FreshBlocks& blocks) {
  ByteReader reader(head);
  PackedEntry packed;
  reader(packed);
  if (!reader.ok() || packed.key != key) return std::nullopt;
  for (const PackedBlock& block : packed.blocks) {
    if (blocks.has(block.hash)) continue;
    std::vector<Dependency> dependencies;
    if (!unpack(block.bytes, dependencies) || compare(dependencies, files) != Freshness::kFresh) return std::nullopt;
    blocks.add(block.hash);
  }
  UnitOutline outline;
  reader(outline);
  return reader.ok() && reader.at_end() ? std::optional(std::move(outline)) : std::nullopt;
}

// The file may have been edited while it was parsed; its stamp would then confirm facts of another text.
constexpr int64_t kClockSlackNs = 50'000'000;

bool still_has(const UnitInputs::File& file) {
  std::string problem;
  const std::optional<std::string> text = read_regular_file(file.path, problem);
  return text && content_hash(*text) == file.hash;
}

}  // namespace

std::optional<std::vector<Dependency>> dependencies_of(const UnitInputs& inputs, const SourceTexts& texts) {
  using Kind = Dependency::Kind;
  if (!inputs.complete) return std::nullopt;
  const KnownFiles replaced(texts);
  std::vector<Dependency> out;
  for (const UnitInputs::File& file : inputs.read) {
    const FileState state = state_of(file.path, inputs.began_ns);
    Dependency d{Kind::kContent, file.path, file.size, file.hash, 0, state.link};
    if (!replaced.text_of(file.path)) {
      const bool maybe_edited = state.changed_ns >= inputs.began_ns - kClockSlackNs;
      if (state.kind != FileState::Kind::kFile || (maybe_edited && !still_has(file))) return std::nullopt;
      if (state.size == file.size) d.stamp = state.stamp;
    }
    out.push_back(std::move(d));
  }
  for (const std::string& path : inputs.present) out.push_back({Kind::kFile, path, 0, 0, 0, 0});
  for (const std::string& path : inputs.folders) out.push_back({Kind::kFolder, path, 0, 0, 0, 0});
  for (const std::string& path : inputs.absent) out.push_back({Kind::kNothing, path, 0, 0, 0, 0});
  return out;
}

std::vector<Dependency> with_dependencies(std::vector<Dependency> some, const std::vector<Dependency>& others) {
  some.insert(some.end(), others.begin(), others.end());
  const auto key = [](const Dependency& d) { return std::tie(d.path, d.kind, d.hash); };
  std::sort(some.begin(), some.end(), [&](const Dependency& a, const Dependency& b) { return key(a) < key(b); });
  // Two contents of one path are both kept, and the entry is never fresh: the file was edited while the unit was read.
  const auto says_no_more = [](const Dependency& first, const Dependency& second) {
    const bool same = second.kind == first.kind && second.hash == first.hash;
    return first.path == second.path && (same || second.kind == Dependency::Kind::kFile);
  };
  some.erase(std::unique(some.begin(), some.end(), says_no_more), some.end());
  return some;
}

namespace {

Freshness freshness_of(const Dependency& d, const FileState& now, KnownFiles& files) {
  using Kind = Dependency::Kind;
  const auto expected = d.kind == Kind::kNothing  ? FileState::Kind::kNothing
                        : d.kind == Kind::kFolder ? FileState::Kind::kFolder
                                                  : FileState::Kind::kFile;
  if (now.kind != expected) return Freshness::kStale;
  if (d.kind == Kind::kContent && now.link != d.link) return Freshness::kStale;
  if (d.kind != Kind::kContent || (d.stamp != 0 && d.stamp == now.stamp)) return Freshness::kFresh;
  if (now.size != d.size || files.hash(d.path) != d.hash) return Freshness::kStale;
  return now.stamp == 0 ? Freshness::kFresh : Freshness::kFreshByContent;
}

}  // namespace

Freshness compare(std::vector<Dependency>& dependencies, KnownFiles& files) {
  Freshness all = Freshness::kFresh;
  for (Dependency& d : dependencies) {
    const FileState now = files.state(d.path);
    const Freshness one = freshness_of(d, now, files);
    if (one == Freshness::kStale) return one;
    if (one != Freshness::kFreshByContent) continue;
    d.stamp = now.stamp;
    all = one;
  }
  return all;
}

std::vector<std::string> stale_files(const std::vector<Dependency>& dependencies, KnownFiles& files) {
  std::vector<std::string> stale;
  for (const Dependency& d : dependencies)
    if (freshness_of(d, files.state(d.path), files) == Freshness::kStale) stale.push_back(d.path);
  return stale;
}

std::optional<UnitFacts> with_code(UnitOutline outline, std::string_view bytes) {
  const auto part = take_part(bytes);
  if (!part || !bytes.empty()) return std::nullopt;
  const std::optional<std::string> code = decompressed(*part);
  if (!code) return std::nullopt;
  UnitFacts unit = std::move(outline.rest);
  ByteReader reader(*code);
  reader(unit.functions, unit.flows, unit.turns);
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return unit;
}

std::string bytes_of(EntryHead& head) {
  const std::vector<std::string> blocks = pack(head.dependencies);
  PackedEntry packed{head.key, {}};
  for (const std::string& block : blocks) packed.blocks.push_back({content_hash(block), block});
  ByteWriter writer;
  writer(packed, head.outline);
  return with_sum(writer.bytes());
}

std::string bytes_of(CacheEntry& entry) {
  EntryHead head{entry.key, entry.dependencies, outline_of(entry.unit)};
  ByteWriter code;
  code(entry.unit.functions, entry.unit.flows, entry.unit.turns);
  return bytes_of(head) + with_sum(compressed(code.bytes()));
}

uint64_t head_size(std::string_view bytes) {
  PartHead head;
  if (bytes.size() < sizeof head) return 0;
  std::memcpy(&head, bytes.data(), sizeof head);
  return sizeof head + head.size;
}

std::optional<EntryHead> take_head(std::string_view& bytes, const std::string& key) {
  const auto part = take_part(bytes);
  if (!part) return std::nullopt;
  ByteReader reader(*part);
  PackedEntry packed;
  EntryHead head;
  reader(packed, head.outline);
  if (!reader.ok() || !reader.at_end() || packed.key != key) return std::nullopt;
  head.key = std::move(packed.key);
  for (const PackedBlock& block : packed.blocks)
    if (!unpack(block.bytes, head.dependencies)) return std::nullopt;
  return head;
}

std::optional<UnitOutline> fresh_outline_of(std::string_view bytes, const std::string& key, KnownFiles& files,
                                            FreshBlocks& blocks) {
  const auto head = take_part(bytes);
  return head ? fresh_outline(*head, key, files, blocks) : std::nullopt;
}

std::optional<UnitFacts> fresh_unit_of(std::string_view bytes, const std::string& key, KnownFiles& files,
                                       FreshBlocks& blocks) {
  const auto head = take_part(bytes);
  auto outline = head ? fresh_outline(*head, key, files, blocks) : std::nullopt;
  return outline ? with_code(*std::move(outline), bytes) : std::nullopt;
}

bool FreshBlocks::has(uint64_t hash) const {
  std::lock_guard lock(lock_);
  return hashes_.count(hash) != 0;
}

void FreshBlocks::add(uint64_t hash) {
  std::lock_guard lock(lock_);
  hashes_.insert(hash);
}

}  // namespace syncsniff::facts
