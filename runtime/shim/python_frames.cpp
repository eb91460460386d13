#include "runtime/shim/python_frames.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <initializer_list>

#include "runtime/shim/resolve.h"
#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

// For x86-64 builds with a GIL, from the headers of 3.11.7, 3.12.1 and 3.13.0 (offsetof; tests run the real ones).
constexpr trace::PythonLayout kLayouts[] = {
    {0x030b, 1, 56, 160, 8, 32, 48, 56, 69, 72, 136, 184, 48, 72},
    {0x030c, 1, 56, 144, 0, 0, 8, 56, 70, 68, 136, 192, 40, 56},
    {0x030d, 0, 72, 160, 0, 0, 8, 56, 70, 68, 136, 200, 40, 56},
};

// In one cache line, since each launch reads it.
struct alignas(64) Interpreter {
  trace::PythonLayout layout;  // version 0: none is known
  const char* (*this_thread)();
  const char* code_type;
};
static_assert(sizeof(Interpreter) == 64);
Interpreter g_python;

template <class T>
T at(const char* base, unsigned offset) noexcept {
  T value;
  std::memcpy(&value, base + offset, sizeof(T));
  return value;
}

// Writes one code point as UTF-8 and returns the number of bytes.
unsigned put_utf8(uint32_t c, char* out) noexcept {
  if (c < 0x80) return out[0] = static_cast<char>(c), 1;
  if (c < 0x800) return out[0] = static_cast<char>(0xc0 | (c >> 6)), out[1] = static_cast<char>(0x80 | (c & 63)), 2;
  if (c < 0x10000) {
    out[0] = static_cast<char>(0xe0 | (c >> 12));
    out[1] = static_cast<char>(0x80 | ((c >> 6) & 63));
    out[2] = static_cast<char>(0x80 | (c & 63));
    return 3;
  }
  out[0] = static_cast<char>(0xf0 | (c >> 18));
  out[1] = static_cast<char>(0x80 | ((c >> 12) & 63));
  out[2] = static_cast<char>(0x80 | ((c >> 6) & 63));
  out[3] = static_cast<char>(0x80 | (c & 63));
  return 4;
}

PythonText read_text(const char* object, char* scratch, size_t scratch_bytes) noexcept {
  if (object == nullptr) return {};
  const auto length = at<int64_t>(object, trace::kPythonTextLength);
  const auto state = at<uint32_t>(object, trace::kPythonTextState);
  const unsigned kind = (state >> 2) & 7;
  const bool compact = (state >> 5) & 1, ascii = (state >> 6) & 1;
  if (!compact || length < 0 || length > trace::kPythonLongestName) return {};
  if (ascii) return {object + g_python.layout.ascii_data, static_cast<size_t>(length)};
  const char* data = object + g_python.layout.compact_data;
  size_t used = 0;
  for (int64_t i = 0; i < length && used + 4 <= scratch_bytes; ++i) {
    const uint32_t c = kind == 1   ? at<uint8_t>(data, i)
                       : kind == 2 ? at<uint16_t>(data, 2 * i)
                                   : at<uint32_t>(data, 4 * i);
    used += put_utf8(c, scratch + used);
  }
  return {scratch, used};
}

// Identifies a code object by its content, too: freed code leaves its address to the next, as with a notebook's cells
// or code given to exec().
uint64_t identity_of(const char* code) noexcept {
  char scratch[512];
  uint64_t hash = mix(mix(13, reinterpret_cast<uint64_t>(code)), at<uint64_t>(code, g_python.layout.code_linetable));
  hash = mix(hash, at<uint32_t>(code, g_python.layout.code_first_line));
  for (const unsigned member : {trace::kPythonFileName, trace::kPythonQualifiedName}) {
    const PythonText text = read_text(at<const char*>(code, member), scratch, sizeof(scratch));
    hash = mix_text(hash, text.data, text.bytes);
  }
  return hash;
}

// Calls `visit` with the code object and next instruction of each of this thread's frames, innermost first, until it
// returns false. Frames that the interpreter made for C code are left out; in the known versions all others have a code
// object.
template <class Visit>
void for_each_frame(Visit visit) noexcept {
  const trace::PythonLayout& layout = g_python.layout;
  const char* thread = g_python.this_thread();
  if (thread == nullptr) return;
  const char* frame = at<const char*>(thread, layout.thread_frame);
  if (layout.through_cframe && frame != nullptr) frame = at<const char*>(frame, layout.cframe_frame);
  unsigned frames = 0;
  for (unsigned steps = 0; frame != nullptr && steps < 4 * kMaxPythonFrames && frames < kMaxPythonFrames; ++steps) {
    const char* code = at<const char*>(frame, layout.frame_code);
    const char* instruction = at<const char*>(frame, layout.frame_instruction);
    const auto owner = at<unsigned char>(frame, layout.frame_owner);
    const char* const here = frame;
    frame = at<const char*>(frame, layout.frame_previous);
    if (owner >= trace::kPythonOwnedByCStack || code == nullptr) continue;
    ++frames;
    if (!visit(here, code, instruction)) return;
  }
}

}  // namespace

bool has_python() noexcept { return g_python.layout.version != 0; }
uint16_t python_version() noexcept { return g_python.layout.version; }

const void* this_python_thread() noexcept { return has_python() ? g_python.this_thread() : nullptr; }

void describe_python(trace::Board& board) noexcept {
  if (!has_python()) return;
  board.python = g_python.layout;
  board.python_code_type = reinterpret_cast<uint64_t>(g_python.code_type);
  void* const runtime = real_dlsym(RTLD_DEFAULT, "_PyRuntime");
  Dl_info object;
  void* symbol = nullptr;
  if (runtime == nullptr || dladdr1(runtime, &object, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return;
  board.python_runtime[0] = reinterpret_cast<uint64_t>(runtime);
  board.python_runtime[1] = board.python_runtime[0] + static_cast<const ElfW(Sym)*>(symbol)->st_size;
}

const char* find_python() noexcept {
  auto this_thread = reinterpret_cast<const char* (*)()>(real_dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState"));
  if (this_thread == nullptr) return nullptr;
  const auto* version = static_cast<const unsigned long*>(real_dlsym(RTLD_DEFAULT, "Py_Version"));
  const auto* code_type = static_cast<const char*>(real_dlsym(RTLD_DEFAULT, "PyCode_Type"));
  // Only free-threaded builds export this symbol; their objects have another layout.
  const bool free_threaded = real_dlsym(RTLD_DEFAULT, "_Py_MergeZeroLocalRefcount") != nullptr;
  if (version != nullptr && code_type != nullptr && !free_threaded) {
    for (const trace::PythonLayout& layout : kLayouts) {
      if (layout.version != (*version >> 16)) continue;
      g_python = {layout, this_thread, code_type};
      return nullptr;
    }
  }
  return "no Python frames: this version of Python is not known (3.11 to 3.13, with the GIL, are)";
}

void walk_python(PythonWalk& walk) noexcept {
  uint64_t hash = 11;
  for_each_frame([&](const char*, const char* code, const char* instruction) {
    const trace::PythonLayout& layout = g_python.layout;
    if (at<const char*>(code, trace::kPythonType) != g_python.code_type) return true;
    const auto offset = static_cast<uint64_t>(instruction - (code + layout.code_bytes));
    if (offset > static_cast<uint64_t>(at<int64_t>(code, trace::kPythonSize)) * trace::kPythonUnitBytes)
      return true;  // the frame has not begun to run
    PythonFrame& out = walk.frames[walk.count++];
    out.code = code;
    out.instruction = static_cast<uint32_t>(offset);
    out.identity = identity_of(code);
    hash = mix(mix(hash, out.identity), offset);
    return true;
  });
  walk.hash = walk.count != 0 ? hash : 0;
}

uint64_t sum_of_python() noexcept {
  uint64_t sum = 0, power = 1;
  for_each_frame([&](const char*, const char* code, const char* instruction) {
    power *= kOddFactor;
    sum += (at<uint64_t>(code, g_python.layout.code_linetable) * kOddFactor + reinterpret_cast<uint64_t>(instruction)) *
           power;
    return true;
  });
  return sum;
}

uint64_t innermost_python() noexcept {
  uint64_t number = 0;
  for_each_frame([&](const char* frame, const char* code, const char* instruction) {
    number = (reinterpret_cast<uint64_t>(frame) * kOddFactor + reinterpret_cast<uint64_t>(code)) * kOddFactor +
             reinterpret_cast<uint64_t>(instruction);
    return false;
  });
  return number;
}

bool read_python_code(const char* code, PythonCode& out) noexcept {
  out.file = read_text(at<const char*>(code, trace::kPythonFileName), out.scratch[0], sizeof(out.scratch[0]));
  out.name = read_text(at<const char*>(code, trace::kPythonQualifiedName), out.scratch[1], sizeof(out.scratch[1]));
  out.first_line = at<int32_t>(code, g_python.layout.code_first_line);
  const char* table = at<const char*>(code, g_python.layout.code_linetable);
  if (table != nullptr) {
    const auto bytes = at<int64_t>(table, trace::kPythonSize);
    if (bytes >= 0 && bytes < trace::kPythonLongestLineTable)
      out.linetable = {table + trace::kPythonBytesData, static_cast<size_t>(bytes)};
  }
  return out.file.data != nullptr && out.name.data != nullptr;
}

}  // namespace syncsniff::shim
