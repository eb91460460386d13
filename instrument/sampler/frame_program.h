// Interprets the instructions of DWARF's call frame information, as far as the canonical frame address (CFA) depends on
// them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "instrument/sampler/unwind_table.h"

namespace syncsniff::sampler {

// Reads values one after the other; past the end it returns 0, and failed() is true.
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
  std::string text();  // a string up to its terminating zero
  void skip(uint64_t bytes);
  DwarfBytes part(uint64_t bytes);  // the next so many bytes, which this object skips

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
  FrameState initial;  // after the common entry's instructions

  // Executes the instructions of a function that begins at `location`, up to `address`. Returns false if one is not
  // known.
  bool run(DwarfBytes instructions, uint64_t location, uint64_t address, FrameState& state) const;
};

// The rule for the state at one address. Does not set `function`; the caller knows it.
FrameRule rule_of(const FrameState& state);

}  // namespace syncsniff::sampler
