// The folder of the facts cache: names of its files, writing them, and limits on their size and age.
// Any number of runs may use one folder at once. Knows nothing of an entry's content.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace syncsniff::facts {

struct CacheLimits {
  int64_t unused_seconds = int64_t{30} * 24 * 3600;
  uint64_t bytes = uint64_t{2} << 30;           // of all entries
  uint64_t preamble_bytes = uint64_t{1} << 30;  // of preambles: one of LibTorch's headers has some 60 MB
};

std::string entry_name(uint64_t key_hash);
std::string preamble_name(uint64_t key_hash);

// Whether the folder, or the one in which it would be made, is writable.
bool can_write_cache(const std::string& folder);

// Writes to a temporary file and renames it, so that a run that reads at the same time sees the whole entry or none. A
// failure is ignored.
void write_entry(const std::string& path, std::initializer_list<std::string_view> parts);

// Records that an entry is in use, at most once a day.
void note_use(const std::string& path);

// Removes entries that were unused for long, then the longest unused until the rest is small enough, and unfinished
// files of killed runs. Does nothing within an hour of the last call.
void tidy_cache(const std::string& folder, const CacheLimits& limits = {});

// Removes the longest unused preambles until the rest is small enough: one day's preambles may exceed the disk.
void bound_preambles(const std::string& folder, const CacheLimits& limits = {});

}  // namespace syncsniff::facts
