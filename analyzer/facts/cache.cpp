#include "analyzer/facts/cache.h"

#include <cstdlib>
#include <filesystem>

#include "analyzer/content_hash.h"
#include "analyzer/facts/build_stamp.h"
#include "analyzer/facts/cache_entry.h"
#include "analyzer/facts/cache_folder.h"
#include "analyzer/facts/include_search.h"
#include "analyzer/facts/known_files.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {
namespace {

constexpr uint64_t kMostHeads = 128 << 10;  // in bytes; as much as the head of nearly every entry

}  // namespace

std::string default_cache_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/syncsniff";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/syncsniff";
  return {};
}

FactsCache::FactsCache(std::string directory, std::string tables, SourceTexts texts, SourceTexts other_state)
    : directory_(std::move(directory)),
      tables_(std::move(tables)),
      texts_(std::move(texts)),
      other_state_(std::move(other_state)),
      files_(std::make_unique<KnownFiles>(texts_)),
      files_of_other_(std::make_unique<KnownFiles>(other_state_)),
      blocks_(std::make_unique<FreshBlocks>()) {
  std::error_code error;
  if (!directory_.empty()) std::filesystem::create_directories(directory_, error);
  if (error) directory_.clear();
}

FactsCache::~FactsCache() = default;

// Everything except the files that determines a unit's facts.
std::string FactsCache::key_of(const frontend::UnitCommand& command, const std::string& root, bool replaced) const {
  std::string key;
  const auto add = [&](const std::string& text) { key += std::to_string(text.size()) + ":" + text + "\n"; };
  add(build_stamp());
  add(tables_);
  add(root);
  add(command.directory);
  add(command.file);
  // Facts name files with links resolved: a link that becomes a file of the same content is another unit.
  std::error_code error;
  add(std::filesystem::canonical(std::filesystem::path(command.directory) / command.file, error).string());
  for (const std::string& arg : command.clang_args) add(arg);
  add(folders_of_environment());
  add(command.per_thread_default_stream ? "per-thread default stream" : "");
  add(replaced ? "replaced texts" : "");
  return key;
}

std::string FactsCache::path_of(const std::string& key) const {
  return directory_ + "/" + entry_name(content_hash(key));
}

// The path at which an entry is kept after a newer one of its key has replaced it: a change is compared with the state
// before it.
std::string FactsCache::path_before(const std::string& key) const { return path_of(key + "before"); }

// The entry of the files on the disk, as they are or as they were, else the one of texts that replace some of them.
template <class Load>
auto FactsCache::of_either_key(const frontend::UnitCommand& command, const std::string& root, Load load) const {
  decltype(load(std::string(), std::string())) known;
  if (directory_.empty()) return known;
  const std::string key = key_of(command, root, false);
  known = load(path_of(key), key);
  if (known || texts_.empty()) return known;
  known = load(path_before(key), key);
  if (known) return known;
  const std::string replaced = key_of(command, root, true);
  return load(path_of(replaced), replaced);
}

std::optional<UnitFacts> FactsCache::load(const frontend::UnitCommand& command, const std::string& root) const {
  return of_either_key(command, root, [&](const std::string& path, const std::string& key) { return load(path, key); });
}

std::optional<UnitOutline> FactsCache::load_outline(const frontend::UnitCommand& command,
                                                    const std::string& root) const {
  return of_either_key(command, root,
                       [&](const std::string& path, const std::string& key) { return load_outline(path, key); });
}

std::optional<UnitFacts> FactsCache::load(const std::string& path, const std::string& key) const {
  std::string ignored;
  const std::optional<std::string> bytes = read_regular_file(path, ignored);
  if (!bytes) return {};
  if (auto unit = fresh_unit_of(*bytes, key, *files_, *blocks_)) {
    note_use(path);
    return unit;
  }
  std::string_view code = *bytes;
  std::optional<EntryHead> head = head_that_holds(path, code, key);
  return head ? with_code(std::move(head->outline), code) : std::nullopt;
}

// Takes the head off the front of the entry's `bytes`, so that they begin with its code.
std::optional<EntryHead> FactsCache::head_that_holds(const std::string& path, std::string_view& bytes,
                                                     const std::string& key) const {
  std::optional<EntryHead> head = take_head(bytes, key);
  if (!head) return {};
  switch (compare(head->dependencies, *files_)) {
    case Freshness::kStale:
      return {};
    case Freshness::kFresh:
      note_use(path);
      break;
    case Freshness::kFreshByContent:
      write_entry(path, {bytes_of(*head), bytes});
      break;
  }
  return head;
}

std::optional<UnitOutline> FactsCache::load_outline(const std::string& path, const std::string& key) const {
  std::string ignored;
  std::optional<std::string> bytes = read_beginning(path, ignored, kMostHeads);
  if (bytes && head_size(*bytes) > bytes->size()) bytes = read_beginning(path, ignored, head_size(*bytes));
  if (!bytes) return {};
  if (auto outline = fresh_outline_of(*bytes, key, *files_, *blocks_)) {
    note_use(path);
    return outline;
  }
  bytes = read_regular_file(path, ignored);
  if (!bytes) return {};
  std::string_view code = *bytes;
  std::optional<EntryHead> head = head_that_holds(path, code, key);
  return head ? std::optional(std::move(head->outline)) : std::nullopt;
}

std::optional<StaleUnit> FactsCache::load_stale(const frontend::UnitCommand& command, const std::string& root) const {
  if (directory_.empty()) return {};
  const std::string key = key_of(command, root, false);
  std::optional<StaleUnit> present = load_stale(path_of(key), key, command.file);
  if (other_state_.empty() || (present && present->of_other_state)) return present;
  std::optional<StaleUnit> earlier = load_stale(path_before(key), key, command.file);
  return earlier && earlier->of_other_state ? std::move(earlier) : std::move(present);
}

std::optional<StaleUnit> FactsCache::load_stale(const std::string& path, const std::string& key,
                                                const std::string& file) const {
  std::string ignored;
  const std::optional<std::string> bytes = read_regular_file(path, ignored);
  if (!bytes) return {};
  std::string_view code = *bytes;
  std::optional<EntryHead> head = take_head(code, key);
  if (!head) return {};
  StaleUnit stale;
  std::error_code error;
  for (const std::string& changed : stale_files(head->dependencies, *files_))
    stale.changed.insert(std::filesystem::weakly_canonical(changed, error).string());
  if (stale.changed.count(std::filesystem::weakly_canonical(file, error).string()) != 0) return {};
  stale.of_other_state = stale_files(head->dependencies, *files_of_other_).empty();
  std::optional<UnitFacts> unit = with_code(std::move(head->outline), code);
  if (!unit || unit->fatal) return {};
  stale.unit = *std::move(unit);
  return stale;
}

bool FactsCache::has_seen(const frontend::UnitCommand& command, const std::string& root) const {
  std::error_code error;
  return !directory_.empty() && std::filesystem::exists(path_of(key_of(command, root, false)), error);
}

void FactsCache::store(const frontend::UnitCommand& command, const std::string& root, const UnitFacts& unit,
                       const UnitInputs& inputs, const std::vector<Dependency>& of_preamble) const {
  if (directory_.empty()) return;
  auto dependencies = dependencies_of(inputs, texts_);
  if (!dependencies) return;
  bool replaced = false;
  for (const UnitInputs::File& file : inputs.read) replaced |= files_->text_of(file.path) != nullptr;
  CacheEntry entry{key_of(command, root, replaced), with_dependencies(*std::move(dependencies), of_preamble), unit};
  if (!replaced) keep_previous_entry(entry.key);
  write_entry(path_of(entry.key), {bytes_of(entry)});
}

// Gives the entry a second name, under which it stays readable. An entry that is still fresh is not kept: another run
// wrote it for the same files.
void FactsCache::keep_previous_entry(const std::string& key) const {
  std::error_code error;
  if (!std::filesystem::exists(path_of(key), error) || load_outline(path_of(key), key)) return;
  std::filesystem::remove(path_before(key), error);
  std::filesystem::create_hard_link(path_of(key), path_before(key), error);
}

}  // namespace syncsniff::facts
