// One unit's facts as they are stored in the cache, with the conditions under which they are still valid.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/known_files.h"
#include "analyzer/facts/outline.h"
#include "analyzer/facts/unit_inputs.h"

namespace syncsniff::facts {

struct Dependency {
  enum class Kind : uint8_t { kContent, kFile, kFolder, kNothing };  // what must be at the path
  Kind kind = Kind::kContent;
  std::string path;
  // Of kContent:
  uint64_t size = 0, hash = 0;
  uint64_t stamp = 0;  // of a file that had this content; 0: unknown
  uint64_t link = 0;   // FileState::link
};

struct CacheEntry {
  std::string key;  // in full: two keys with the same hash have the same file name
  std::vector<Dependency> dependencies;
  UnitFacts unit;
};

// Nothing if an input has changed since the parser read it, or could not be read.
std::optional<std::vector<Dependency>> dependencies_of(const UnitInputs& inputs, const SourceTexts& texts);

// Both lists merged, sorted by path. If one gives a file's content, an entry of the other that only says that it exists
// is dropped.
std::vector<Dependency> with_dependencies(std::vector<Dependency> some, const std::vector<Dependency>& others);

enum class Freshness {
  kStale,
  kFresh,
  kFreshByContent,  // the stamps of files that were touched or checked out again have been renewed
};
Freshness compare(std::vector<Dependency>& dependencies, KnownFiles& files);
// The paths at which the parser found something else than is there now.
std::vector<std::string> stale_files(const std::vector<Dependency>& dependencies, KnownFiles& files);

// Sequences of dependencies that several units share and that all hold: each is checked once a run. Safe on several
// threads.
class FreshBlocks {
 public:
  bool has(uint64_t hash) const;
  void add(uint64_t hash);

 private:
  mutable std::mutex lock_;
  std::unordered_set<uint64_t> hashes_;
};

// The head (key, dependencies, outline), then the code (functions, flows, turns), each preceded by its checksum.
std::string bytes_of(CacheEntry& entry);
// The size of the entry's head in bytes, from the entry's first bytes; 0 if there are too few of them.
uint64_t head_size(std::string_view bytes);
// Nothing unless the entry is complete, has this key, and is fresh as compare() says.
std::optional<UnitFacts> fresh_unit_of(std::string_view bytes, const std::string& key, KnownFiles& files,
                                       FreshBlocks& blocks);
// The same for the head, for which `bytes` need not hold more than the head.
std::optional<UnitOutline> fresh_outline_of(std::string_view bytes, const std::string& key, KnownFiles& files,
                                            FreshBlocks& blocks);
// The head of an entry that may not be fresh. To write an entry whose stamps were renewed, write bytes_of() of this
// head and then the old bytes of the code.
struct EntryHead {
  std::string key;
  std::vector<Dependency> dependencies;
  UnitOutline outline;
};
std::string bytes_of(EntryHead& head);
// Takes the head off the front of an entry's `bytes`, so that they begin with the code. Nothing unless `bytes_of` wrote
// the head for this key.
std::optional<EntryHead> take_head(std::string_view& bytes, const std::string& key);
// Nothing if `code` is damaged or cut short.
std::optional<UnitFacts> with_code(UnitOutline outline, std::string_view code);

}  // namespace syncsniff::facts
