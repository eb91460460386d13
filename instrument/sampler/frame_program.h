// The instructions of DWARF's call frame information, as far as the canonical frame address (CFA) depends on them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "instrument/sampler/unwind_table.h"

namespace syncsniff::sampler {

// Reads values one after the other; past the end it reads 0, and `failed` says so.
class DwarfBytes {
 public:
  DwarfBytes(const char* begin, const char* end) : at_(begin), end_(end) {}
  bool is_done() const { return at_ >= end_ || failed_; }
  bool failed() const { return failed_; }
  template <class T>
  T value() {
    T result{};
    if (static_cast<size_t>(end_ - at_) < sizeof result) return failed_ = true, result;
    std::memcpy(&result, at_, sizeof result);
    at_ += sizeof result;
    return result;
  }
  uint64_t uleb();
  int64_t sleb();
  std::string text();  // up to its zero
  void skip(uint64_t bytes);
  DwarfBytes part(uint64_t bytes);  // the next so many, which are skipped here

 private:
  const char* at_;
  const char* end_;
  bool failed_ = false;
};

struct FrameState {
  uint64_t base_register = 0, offset = 0;
  bool is_expression = false;
};

struct FrameProgram {
  uint64_t code_alignment = 1;
  int64_t data_alignment = -8;
  FrameState initial;  // by the common instructions

  // Follows the instructions of a function that begins at `location`, up to `address`. False: one is not known.
  bool run(DwarfBytes instructions, uint64_t location, uint64_t address, FrameState& state) const;
};

// Of the state at one address; the function is the caller's to tell.
FrameRule rule_of(const FrameState& state);

}  // namespace syncsniff::sampler
