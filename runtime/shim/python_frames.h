// The calling thread's own Python frames, read without the GIL: a thread that is inside a driver call runs no Python,
// so its chain of frames stands still. Offsets belong to one minor version each; another version gives no frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/trace/board.h"

namespace syncsniff::shim {

inline constexpr unsigned kMaxPythonFrames = 48;

struct PythonFrame {
  const char* code;      // PyCodeObject
  uint32_t instruction;  // bytes from the start of its code
  uint64_t identity;     // changes when another code object takes the same place
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

// Looks for an interpreter in the process. A version that is not known: the text of a note; else nullptr.
const char* find_python() noexcept;
bool has_python() noexcept;
uint16_t python_version() noexcept;  // 0x030b for 3.11
// The calling thread's PyThreadState; nullptr: it has none.
const void* this_python_thread() noexcept;
// What somebody else needs in order to read frames from outside.
void describe_python(trace::Board& board) noexcept;

void walk_python(PythonWalk& walk) noexcept;

// A number that changes when the chain of frames does: all that is read where a chain is seen again. 0: no frames.
[[gnu::hot, gnu::noinline]] uint64_t sum_of_python() noexcept;

// A number of the innermost frame alone: which one it is, and where in its code. 0: no frames.
[[gnu::hot, gnu::noinline]] uint64_t innermost_python() noexcept;

bool read_python_code(const char* code, PythonCode& out) noexcept;

}  // namespace syncsniff::shim
