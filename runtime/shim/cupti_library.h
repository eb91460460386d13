// libcupti as the shim uses it: loaded with dlopen, called through pointers, its records read at fixed offsets. No
// CUPTI header is needed to build; a test compares the offsets with the header if one is installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncsniff::shim {

inline constexpr uint32_t kActivityMemcpy = 1, kActivityMemset = 2, kActivityConcurrentKernel = 10;
inline constexpr uint32_t kFlushForced = 1;
inline constexpr int kZeroedBuffers = 5;  // attribute: the client's buffers are zeroed

// Valid from CUpti_ActivityKernel6, Memcpy4 and Memset3 (CUDA 11) to the versions of CUDA 13.0.
struct KernelOffsets {
  static constexpr unsigned kStart = 16, kEnd = 24, kDevice = 40, kStream = 48, kGrid = 52, kBlock = 64,
                            kCorrelation = 92, kName = 104, kGraph = 156;
};
struct TransferOffsets {  // for copies and memsets; a memset has no kind
  static constexpr unsigned kCopyKind = 4, kBytes = 8, kStart = 16, kEnd = 24, kDevice = 32, kStream = 40,
                            kCorrelation = 44, kGraph = 72;
};

struct CuptiLibrary {
  using Request = void (*)(uint8_t** buffer, size_t* bytes, size_t* records);
  using Complete = void (*)(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid);

  int (*register_callbacks)(Request, Complete) = nullptr;
  int (*enable)(uint32_t kind) = nullptr;
  int (*disable)(uint32_t kind) = nullptr;
  int (*next_record)(uint8_t* buffer, size_t valid, uint8_t** record) = nullptr;
  int (*flush)(uint32_t flags) = nullptr;
  int (*timestamp)(uint64_t*) = nullptr;
  // nullptr if this CUPTI lacks them: without the first two it cannot be detached.
  int (*finalize)() = nullptr;
  int (*version)(uint32_t*) = nullptr;
  int (*set_attribute)(int attribute, size_t* bytes, void* value) = nullptr;
};

// Loads the copy that is already in the process, else the one that SYNCSNIFF_CUPTI names, else one by soname. Returns
// false if there is none.
bool load_cupti(CuptiLibrary& library) noexcept;

}  // namespace syncsniff::shim
