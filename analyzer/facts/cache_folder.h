// The folder that the facts cache lies in: how its files are named, written, and how many there may be.
// Any number of runs may use one folder at once. Knows nothing of what an entry holds.
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

// The folder, or the one in which it would be made, may be written to.
bool can_write_cache(const std::string& folder);

// Beside it first and renamed, so that a run that reads at the same time sees all of it or nothing. Fails in silence.
void write_entry(const std::string& path, std::initializer_list<std::string_view> parts);

// Notes, once a day at most, that an entry is in use.
void note_use(const std::string& path);

// Removes entries that were not used for long, then the longest unused until the rest is small enough, and what runs
// that were killed left unfinished. Does nothing within an hour of the last time.
void tidy_cache(const std::string& folder, const CacheLimits& limits = {});

// Removes the longest unused preambles until the rest is small enough: a day's work may make more than a disk holds.
void bound_preambles(const std::string& folder, const CacheLimits& limits = {});

}  // namespace syncsniff::facts
