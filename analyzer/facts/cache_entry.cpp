#include "analyzer/facts/cache_entry.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "analyzer/content_hash.h"
#include "analyzer/facts/archive.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

// Thousands of paths that begin alike: each keeps what it does not share with the one before.
struct PackedDependency {
  Dependency::Kind kind = Dependency::Kind::kContent;
  uint32_t shared = 0;
  std::string rest;
  uint64_t size = 0, hash = 0, stamp = 0;
};

struct PackedEntry {
  std::string key;
  std::vector<PackedDependency> dependencies;
};

template <class A>
auto fields(A& a, PackedDependency& d) {
  return a(d.kind, d.shared, d.rest, d.size, d.hash, d.stamp);
}
template <class A>
auto fields(A& a, PackedEntry& e) {
  return a(e.key, e.dependencies);
}

PackedEntry pack(const CacheEntry& entry) {
  PackedEntry out{entry.key, {}};
  const std::string* before = &entry.key;
  for (const Dependency& d : entry.dependencies) {
    const size_t most = std::min(before->size(), d.path.size());
    const auto shared = static_cast<size_t>(
        std::mismatch(d.path.begin(), d.path.begin() + static_cast<ptrdiff_t>(most), before->begin()).first -
        d.path.begin());
    out.dependencies.push_back({d.kind, static_cast<uint32_t>(shared), d.path.substr(shared), d.size, d.hash, d.stamp});
    before = &d.path;
  }
  return out;
}

bool unpack(PackedEntry& packed, CacheEntry& entry) {
  entry.key = std::move(packed.key);
  std::string path = entry.key;
  for (PackedDependency& d : packed.dependencies) {
    if (d.shared > path.size()) return false;
    path.resize(d.shared);
    path += d.rest;
    entry.dependencies.push_back({d.kind, path, d.size, d.hash, d.stamp});
  }
  return true;
}

// Somebody may have edited the file while it was parsed: its stamp would vouch for facts of another text.
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
    Dependency d{Kind::kContent, file.path, file.size, file.hash, 0};
    if (!replaced.text_of(file.path)) {
      const FileState state = state_of(file.path, inputs.began_ns);
      const bool maybe_edited = state.changed_ns >= inputs.began_ns - kClockSlackNs;
      if (state.kind != FileState::Kind::kFile || (maybe_edited && !still_has(file))) return std::nullopt;
      if (state.size == file.size) d.stamp = state.stamp;
    }
    out.push_back(std::move(d));
  }
  for (const std::string& path : inputs.present) out.push_back({Kind::kFile, path, 0, 0, 0});
  for (const std::string& path : inputs.folders) out.push_back({Kind::kFolder, path, 0, 0, 0});
  for (const std::string& path : inputs.absent) out.push_back({Kind::kNothing, path, 0, 0, 0});
  return out;
}

std::vector<Dependency> with_dependencies(std::vector<Dependency> some, const std::vector<Dependency>& others) {
  some.insert(some.end(), others.begin(), others.end());
  const auto key = [](const Dependency& d) { return std::tie(d.path, d.kind, d.hash); };
  std::sort(some.begin(), some.end(), [&](const Dependency& a, const Dependency& b) { return key(a) < key(b); });
  // Two contents of one path stay, and the entry is never fresh: the file was edited while the unit was read.
  const auto says_no_more = [](const Dependency& first, const Dependency& second) {
    const bool same = second.kind == first.kind && second.hash == first.hash;
    return first.path == second.path && (same || second.kind == Dependency::Kind::kFile);
  };
  some.erase(std::unique(some.begin(), some.end(), says_no_more), some.end());
  return some;
}

Freshness compare(std::vector<Dependency>& dependencies, KnownFiles& files) {
  using Kind = Dependency::Kind;
  Freshness freshness = Freshness::kFresh;
  for (Dependency& d : dependencies) {
    const FileState now = files.state(d.path);
    const auto expected = d.kind == Kind::kNothing  ? FileState::Kind::kNothing
                          : d.kind == Kind::kFolder ? FileState::Kind::kFolder
                                                    : FileState::Kind::kFile;
    if (now.kind != expected) return Freshness::kStale;
    if (d.kind != Kind::kContent || (d.stamp != 0 && d.stamp == now.stamp)) continue;
    if (now.size != d.size || files.hash(d.path) != d.hash) return Freshness::kStale;
    if (now.stamp == 0) continue;
    d.stamp = now.stamp;
    freshness = Freshness::kFreshByContent;
  }
  return freshness;
}

std::string bytes_of(CacheEntry& entry) {
  PackedEntry packed = pack(entry);
  ByteWriter writer;
  writer(packed, entry.unit);
  const uint64_t sum = content_hash(writer.bytes());
  return std::string(reinterpret_cast<const char*>(&sum), sizeof sum) + writer.bytes();
}

std::optional<CacheEntry> entry_of(const std::string& bytes, const std::string& key) {
  uint64_t sum = 0;
  if (bytes.size() < sizeof sum) return std::nullopt;
  std::memcpy(&sum, bytes.data(), sizeof sum);
  const std::string_view body = std::string_view(bytes).substr(sizeof sum);
  if (content_hash(body) != sum) return std::nullopt;
  ByteReader reader(body);
  PackedEntry packed;
  CacheEntry entry;
  reader(packed, entry.unit);
  if (!reader.ok() || !reader.at_end() || !unpack(packed, entry) || entry.key != key) return std::nullopt;
  return entry;
}

}  // namespace syncsniff::facts
