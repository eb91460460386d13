// The board: a table in the shim's memory through which `syncsniff run` finds, from outside, where the threads of the
// watched process are. It contains addresses and offsets. Plain structs, C++17, includes nothing but <cstdint>. Its
// reader uses process_vm_readv alone and must check each value: the process may have ended, or have overwritten the
// board.
#pragma once

#include <cstdint>

namespace syncsniff::trace {

// Byte offsets in CPython's objects; each set is valid for one minor version.
struct PythonLayout {
  uint16_t version;         // 0x030b for 3.11; 0: no interpreter, or an unknown version
  uint16_t through_cframe;  // 1: PyThreadState.cframe->current_frame; 0: PyThreadState.current_frame
  uint16_t thread_frame, thread_native_id, cframe_frame;
  uint16_t frame_code, frame_previous, frame_instruction, frame_owner;
  uint16_t code_first_line, code_linetable, code_bytes;
  uint16_t ascii_data, compact_data;
};
// Byte offsets that are the same in all known versions.
inline constexpr unsigned kPythonPreviousThread = 0, kPythonNextThread = 8, kPythonInterpreter = 16;  // PyThreadState
inline constexpr unsigned kPythonType = 8, kPythonSize = 16;  // of any object; of one of variable size
inline constexpr unsigned kPythonTextLength = 16, kPythonTextState = 32, kPythonBytesData = 32;
inline constexpr unsigned kPythonFileName = 112, kPythonQualifiedName = 128;  // of a code object
inline constexpr unsigned kPythonUnitBytes = 2;                               // bytes of one instruction in co_code
inline constexpr unsigned char kPythonOwnedByCStack = 3;  // a frame with this owner runs no Python code
inline constexpr int64_t kPythonLongestName = 8192, kPythonLongestLineTable = 1 << 20;

// Byte offsets in the shim's structures to which the board's addresses lead.
struct HookLayout {
  uint32_t slot_frame;           // u64, CFA of the hook that the thread is in; 0: it is in no hook
  uint32_t slot_return_address;  // u64, return address of that hook
  uint32_t state_last_place;     // u64, address of the place of the last call, or of the one in flight; 0: no call yet
  uint32_t place_frame;          // u64, CFA of the hook
  uint32_t place_return_address;
  uint32_t place_stack;    // u32, id of its stack in the trace
  uint32_t place_frames;   // u8, how many of place_offsets are used
  uint32_t place_offsets;  // u32[], unordered: where on the stack the return addresses lie, see native_stack.h
  uint32_t place_bytes;
  uint32_t most_frames;  // capacity of place_offsets; a stack with that many frames may have more
};

struct BoardThread {
  uint32_t tid;  // 0: a free entry
  uint32_t reserved;
  uint64_t slot, state;    // addresses
  uint64_t python_thread;  // address of its PyThreadState when last seen; 0: none
};
static_assert(sizeof(BoardThread) == 32);

inline constexpr unsigned kBoardThreads = 64;  // threads beyond these are not sampled

struct Board {
  uint64_t start_monotonic_ns;  // start of the trace: distinguishes this process from a later one with the same pid
  uint32_t bytes;               // of this struct
  uint32_t reserved;
  HookLayout hooks;
  PythonLayout python;
  uint32_t reserved1;
  uint64_t python_code_type;   // address of PyCode_Type
  uint64_t python_runtime[2];  // begin and end of the interpreter's own data, which contains the GIL
  BoardThread threads[kBoardThreads];
};

}  // namespace syncsniff::trace
