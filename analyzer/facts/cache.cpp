#include "analyzer/facts/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "analyzer/content_hash.h"
#include "analyzer/facts/archive.h"
#include "rules/regular_file.h"

namespace syncsniff::facts {

namespace {

namespace fs = std::filesystem;

struct Dependency {
  std::string path;
  int64_t size = -1;
  int64_t time_ns = 0;
};
struct Entry {
  std::string magic;
  std::vector<Dependency> dependencies;
  UnitFacts unit;
};

template <class A>
void fields(A& a, Dependency& d) {
  a(d.path, d.size, d.time_ns);
}
template <class A>
void fields(A& a, Entry& e) {
  a(e.magic, e.dependencies, e.unit);
}

// Facts change with the program that finds them: its own file tells one build from another.
const std::string& build_stamp() {
  static const std::string stamp = [] {
    struct stat info {};
    std::string out = "syncsniff-facts-1 ";
    if (stat("/proc/self/exe", &info) == 0) {
      out += std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
             std::to_string(info.st_mtim.tv_nsec);
    }
    return out;
  }();
  return stamp;
}

Dependency look_at(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return {path, -1, 0};
  // The change time too: a copy that keeps size and modification time is still another file.
  const auto ns = [](const timespec& t) { return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec; };
  return {path, info.st_size, static_cast<int64_t>(ns(info.st_mtim) * 31 + ns(info.st_ctim))};
}

uint64_t fnv1a(const std::string& text, uint64_t hash) {
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return (hash ^ 0xff) * 1099511628211ull;
}

// The names in a folder: a header that appears there may be included instead of, or besides, those that were read.
Dependency list(const std::string& folder) {
  uint64_t names = 0;
  int64_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    names += fnv1a(entry.path().filename().string(), 14695981039346656037ull);  // in any order
    ++count;
  }
  return {folder + "/", count, static_cast<int64_t>(names)};
}

Dependency look_at(const std::string& path, const SourceTexts& texts) {
  const auto text = texts.find(path);
  if (text == texts.end()) return look_at(path);
  return {path, static_cast<int64_t>(text->second.size()), static_cast<int64_t>(content_hash(text->second))};
}

Dependency look_again(const Dependency& was, const SourceTexts& texts) {
  return was.path.back() == '/' ? list(was.path.substr(0, was.path.size() - 1)) : look_at(was.path, texts);
}

// Somebody has edited a source while it was parsed: the facts are of another text than the one that lies there now, and
// its time would vouch for them for ever.
bool has_changed(const UnitFacts& unit, const SourceTexts& texts) {
  return std::any_of(unit.sources.begin(), unit.sources.end(), [&](const SourceContent& source) {
    if (texts.count(source.file) != 0) return false;
    std::string problem;
    const std::optional<std::string> now = read_regular_file(source.file, problem);
    return !now || content_hash(*now) != source.hash;
  });
}

}  // namespace

std::string default_cache_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/syncsniff";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/syncsniff";
  return {};
}

FactsCache::FactsCache(std::string directory, std::string tables, SourceTexts texts)
    : directory_(std::move(directory)), tables_(std::move(tables)), texts_(std::move(texts)) {
  std::error_code error;
  if (!directory_.empty()) fs::create_directories(directory_, error);
  if (error) directory_.clear();
}

std::string FactsCache::path_of(const frontend::UnitCommand& command, bool replaced) const {
  uint64_t a = 14695981039346656037ull, b = 1099511628211ull;
  const auto add = [&](const std::string& text) {
    a = fnv1a(text, a);
    b = fnv1a(text, b ^ a);
  };
  add(build_stamp());
  add(tables_);
  add(command.directory);
  add(command.file);
  for (const std::string& arg : command.clang_args) add(arg);
  if (replaced) add("replaced texts");
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b));
  return directory_ + "/" + name + ".facts";
}

std::optional<UnitFacts> FactsCache::load(const frontend::UnitCommand& command) const {
  if (directory_.empty()) return {};
  auto known = load(command, path_of(command, false));
  return known || texts_.empty() ? std::move(known) : load(command, path_of(command, true));
}

std::optional<UnitFacts> FactsCache::load(const frontend::UnitCommand& command, const std::string& path) const {
  std::string ignored;
  const std::optional<std::string> text = read_regular_file(path, ignored);
  uint64_t sum = 0;
  if (!text || text->size() < sizeof sum) return {};
  std::memcpy(&sum, text->data(), sizeof sum);
  const std::string_view body = std::string_view(*text).substr(sizeof sum);
  if (fnv1a(std::string(body), 1469598103934665603ull) != sum) return {};
  ByteReader reader(body);
  Entry entry;
  reader(entry);
  if (!reader.ok() || !reader.at_end() || entry.magic != build_stamp() || entry.unit.file != command.file) return {};
  for (const Dependency& was : entry.dependencies) {
    const Dependency now = look_again(was, texts_);
    if (now.size != was.size || now.time_ns != was.time_ns) return {};
  }
  return std::move(entry.unit);
}

void FactsCache::store(const frontend::UnitCommand& command, const UnitFacts& unit,
                       const std::vector<std::string>& dependencies) const {
  // A unit with errors may become readable by a header that appears: nothing that it read would tell.
  if (directory_.empty() || unit.error_count || has_changed(unit, texts_)) return;
  Entry entry{build_stamp(), {}, unit};
  std::set<std::string> folders{fs::path(command.file).parent_path().string()};
  bool replaced = false;
  for (const std::string& path : dependencies) {
    replaced |= texts_.count(path) != 0;
    entry.dependencies.push_back(look_at(path, texts_));
    folders.insert(fs::path(path).parent_path().string());
  }
  for (const std::string& arg : command.clang_args) {
    const std::string folder = arg.rfind("-I", 0) == 0 ? arg.substr(2) : arg;
    if (!folder.empty() && folder[0] == '/') folders.insert(folder);
  }
  for (const std::string& folder : folders) {
    std::error_code error;
    // What a package manager owns changes under its own paths, and by the times of its files.
    if (folder.empty() || folder.rfind("/usr/", 0) == 0 || !fs::is_directory(folder, error)) continue;
    entry.dependencies.push_back(list(folder));
  }
  ByteWriter writer;
  writer(entry);
  const uint64_t sum = fnv1a(writer.bytes(), 1469598103934665603ull);
  // Written beside and renamed, so that a run that reads at the same time sees all of it or nothing.
  const std::string path = path_of(command, replaced), draft = path + "." + std::to_string(getpid());
  std::ofstream out(draft, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  out << writer.bytes();
  out.close();
  std::error_code error;
  if (out) fs::rename(draft, path, error);
  if (!out || error) fs::remove(draft, error);
}

}  // namespace syncsniff::facts
