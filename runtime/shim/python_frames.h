// Reads the calling thread's own Python frames without the GIL: a thread inside a driver call runs no Python code, so
// its chain of frames does not change. Offsets are valid for one minor version each; other versions give no frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/trace/board.h"

namespace syncsniff::shim {

inline constexpr unsigned kMaxPythonFrames = 48;

struct PythonFrame {
  const char* code;      // PyCodeObject
  uint32_t instruction;  // bytes from the start of its code
  uint64_t identity;     // changes when another code object gets the same address
};

struct PythonWalk {
  unsigned count = 0;
  uint64_t hash = 0;
  PythonFrame frames[kMaxPythonFrames];
};

struct PythonText {
  const char* data = nullptr;
  size_t bytes = 0;
};

struct PythonCode {
  PythonText file, name, linetable;
  int first_line = 0;
  char scratch[2][1024];  // names that are not plain ASCII, as UTF-8
};

// Looks for an interpreter in the process. Returns the text of a note if its version is not known, otherwise nullptr.
const char* find_python() noexcept;
bool has_python() noexcept;
uint16_t python_version() noexcept;  // 0x030b for 3.11
// The calling thread's PyThreadState; nullptr: it has none.
const void* this_python_thread() noexcept;
// Fills in what another process needs in order to read frames from outside.
void describe_python(trace::Board& board) noexcept;

void walk_python(PythonWalk& walk) noexcept;

// A number that changes when the chain of frames does; the only thing that is read if a chain is seen again. 0: no
// frames.
[[gnu::hot, gnu::noinline]] uint64_t sum_of_python() noexcept;

// Identifies the innermost frame alone: its code and position. 0: no frames.
[[gnu::hot, gnu::noinline]] uint64_t innermost_python() noexcept;

bool read_python_code(const char* code, PythonCode& out) noexcept;

}  // namespace syncsniff::shim
