// One unit's facts as they lie in the cache, with what has to hold for them to be used.
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
  enum class Kind : uint8_t { kContent, kFile, kFolder, kNothing };  // what has to lie at the path
  Kind kind = Kind::kContent;
  std::string path;
  // Of kContent:
  uint64_t size = 0, hash = 0;
  uint64_t stamp = 0;  // of a file that had this content; 0: none is known
};

struct CacheEntry {
  std::string key;  // whole: two keys whose hashes are the same name one file
  std::vector<Dependency> dependencies;
  UnitFacts unit;
};

// Nothing where an input is not what the parser read any more, or could not be read.
std::optional<std::vector<Dependency>> dependencies_of(const UnitInputs& inputs, const SourceTexts& texts);

// Both, sorted by path. Where one says what a file holds, the other need not say that it is there.
std::vector<Dependency> with_dependencies(std::vector<Dependency> some, const std::vector<Dependency>& others);

enum class Freshness {
  kStale,
  kFresh,
  kFreshByContent,  // the stamps of files that were touched or checked out again have been renewed
};
Freshness compare(std::vector<Dependency>& dependencies, KnownFiles& files);
// The paths at which something else lies than the parser found.
std::vector<std::string> stale_files(const std::vector<Dependency>& dependencies, KnownFiles& files);

// Dependencies of units that lie in a row in each of them, and all hold: looked at once a run. Safe on several threads.
class FreshBlocks {
 public:
  bool has(uint64_t hash) const;
  void add(uint64_t hash);

 private:
  mutable std::mutex lock_;
  std::unordered_set<uint64_t> hashes_;
};

// The head (key, dependencies, outline), then the code (functions, flows, turns), each with its sum in front.
std::string bytes_of(CacheEntry& entry);
// How many bytes of the entry its head takes, as its first bytes say; 0 where they are too few to say it.
uint64_t head_size(std::string_view bytes);
// Nothing unless the entry is whole, of this key, and fresh as compare() says.
std::optional<UnitFacts> fresh_unit_of(std::string_view bytes, const std::string& key, KnownFiles& files,
                                       FreshBlocks& blocks);
// The same of the head, which is all that `bytes` need to hold.
std::optional<UnitOutline> fresh_outline_of(std::string_view bytes, const std::string& key, KnownFiles& files,
                                            FreshBlocks& blocks);
// The head of an entry that may not be fresh. An entry whose stamps were renewed is its bytes and the code's as they
// are.
struct EntryHead {
  std::string key;
  std::vector<Dependency> dependencies;
  UnitOutline outline;
};
std::string bytes_of(EntryHead& head);
// `bytes`, of an entry, then begin with its code. Nothing unless they are what `bytes_of` wrote for this key.
std::optional<EntryHead> take_head(std::string_view& bytes, const std::string& key);
// Nothing unless `code` is whole.
std::optional<UnitFacts> with_code(UnitOutline outline, std::string_view code);

}  // namespace syncsniff::facts
