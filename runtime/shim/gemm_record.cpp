#include "runtime/shim/gemm_record.h"

#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

using trace::GemmMath;

// cublasMath_t: flags that may be added to the mode are above these bits.
constexpr int kModeBits = 0xf, kModeTf32 = 3;

// cublasComputeType_t. Emulated: several products with fewer bits, so the peak of the type does not apply.
enum Compute : int {
  kCompute32 = 68,
  kComputeFast16 = 74,
  kComputeFastBf16 = 75,
  kComputeFastTf32 = 77,
  kComputeEmulated32 = 78,
  kComputeEmulated64 = 79,
};

struct TypeInfo {
  uint16_t bits;
  bool is_complex;
  GemmMath math;
};

TypeInfo info_of(int type) noexcept {
  switch (type) {
    case kReal32:
      return {32, false, GemmMath::kF32};
    case kReal64:
      return {64, false, GemmMath::kF64};
    case kReal16:
      return {16, false, GemmMath::kF16};
    case 3:  // CUDA_R_8I
    case 8:  // CUDA_R_8U
      return {8, false, GemmMath::kInt8};
    case kComplex32:
      return {64, true, GemmMath::kF32};
    case kComplex64:
      return {128, true, GemmMath::kF64};
    case 6:  // CUDA_C_16F
      return {32, true, GemmMath::kF16};
    case 10:  // CUDA_R_32I
      return {32, false, GemmMath::kUnknown};
    case 14:  // CUDA_R_16BF
      return {16, false, GemmMath::kBf16};
    case 15:  // CUDA_C_16BF
      return {32, true, GemmMath::kBf16};
    case 28:  // CUDA_R_8F_E4M3
    case 29:  // CUDA_R_8F_E5M2
      return {8, false, GemmMath::kFp8};
    case 33:  // CUDA_R_4F_E2M1
      return {4, false, GemmMath::kFp4};
    default:
      return {0, false, GemmMath::kUnknown};
  }
}

// 32-bit factors may be rounded to fewer bits for the tensor cores, as the call or the handle's mode allows.
GemmMath math_of(GemmMath of_type, int compute, bool tf32_allowed) noexcept {
  if (compute == kComputeEmulated32 || compute == kComputeEmulated64) return GemmMath::kUnknown;
  if (of_type != GemmMath::kF32) return of_type;
  switch (compute) {
    case kComputeFastTf32:
      return GemmMath::kTf32;
    case kComputeFast16:
      return GemmMath::kF16;
    case kComputeFastBf16:
      return GemmMath::kBf16;
    case kCompute32:
    case kComputeUnknown:
      return tf32_allowed ? GemmMath::kTf32 : GemmMath::kF32;
    default:
      return GemmMath::kF32;
  }
}

template <class T>
bool read(GetAttribute get, const void* descriptor, int attribute, T& value) noexcept {
  uint64_t written = 0;
  return descriptor != nullptr && get(descriptor, attribute, &value, sizeof(T), &written) == 0;
}

// cublasLtMatrixLayoutAttribute_t, cublasLtMatmulDescAttributes_t
constexpr int kLayoutType = 0, kLayoutRows = 2, kLayoutColumns = 3, kLayoutBatch = 5;
constexpr int kMatmulCompute = 0, kMatmulTransposeA = 3;

}  // namespace

bool begin_gemm(uint64_t& begin_ns) noexcept {
  ThreadState* const thread = enter();
  if (thread == nullptr) return false;
  // If an earlier call's frame is at or below this one, it was left by a jump and is over. If it is above, this call
  // was made within it.
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const bool is_outer = thread->gemm_frame == 0 || frame >= thread->gemm_frame;
  if (is_outer) {
    thread->gemm_frame = frame;
    begin_ns = thread->clock.now_ns();
  }
  leave();
  return is_outer;
}

void end_gemm(uint64_t begin_ns, const GemmShape* shape, bool tf32_allowed) noexcept {
  ThreadState* const thread = enter();
  if (thread == nullptr) return;
  thread->gemm_frame = 0;
  if (shape != nullptr) {
    const TypeInfo in = info_of(shape->in_type);
    trace::GemmRecord record{};
    record.type = static_cast<uint16_t>(trace::RecordType::kGemm);
    record.math = static_cast<uint8_t>(math_of(in.math, shape->compute, tf32_allowed));
    record.is_complex = in.is_complex;
    record.in_bits = in.bits;
    record.out_bits = info_of(shape->out_type).bits;
    record.begin_ns = begin_ns;
    record.duration_ns = thread->clock.now_ns() - begin_ns;
    record.m = shape->m;
    record.n = shape->n;
    record.k = shape->k;
    record.batch = shape->batch;
    thread->writer.append(record);
  }
  leave();
}

bool allows_tf32(const GemmTarget& target, void* handle) noexcept {
  int mode = 0;
  return target.get_math_mode != nullptr && target.get_math_mode(handle, &mode) == 0 && (mode & kModeBits) == kModeTf32;
}

bool read_matmul(const GemmTarget& target, const void* operation, const void* a, const void* b, const void* d,
                 GemmShape& shape) noexcept {
  if (target.get_layout == nullptr || target.get_matmul == nullptr) return false;
  uint64_t rows = 0, columns = 0;
  int batch = 1, transposed = 0;
  uint32_t in = 0, out = 0, compute = 0;
  const GetAttribute layout = target.get_layout, matmul = target.get_matmul;
  const bool is_read = read(layout, d, kLayoutRows, shape.m) && read(layout, d, kLayoutColumns, shape.n) &&
                       read(layout, a, kLayoutRows, rows) && read(layout, a, kLayoutColumns, columns) &&
                       read(layout, a, kLayoutType, in) && read(layout, d, kLayoutType, out) &&
                       read(matmul, operation, kMatmulTransposeA, transposed) &&
                       read(matmul, operation, kMatmulCompute, compute);
  if (!is_read) return false;
  if (read(layout, d, kLayoutBatch, batch) && batch > 0) shape.batch = static_cast<uint64_t>(batch);
  shape.k = transposed != 0 ? rows : columns;
  shape.in_type = static_cast<int>(in);
  shape.out_type = static_cast<int>(out);
  shape.compute = static_cast<int>(compute);
  return true;
}

}  // namespace syncsniff::shim
