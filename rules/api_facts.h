// What a library function does to host, device and memory, as stated in rules/apis/*.yaml. Contains facts only, no rule
// ids. The analyzer and the shim's generator read the same tables.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace syncsniff {

enum class Blocks {
  kNever,
  kAlways,
  kPageable,    // blocks when its host side is pageable memory (cudaMemcpyAsync)
  kHostResult,  // blocks when its result argument is host memory (cuBLAS in host pointer mode)
  kHostPolicy,  // blocks unless an asynchronous execution policy is passed (thrust)
  kCudaTensor,  // blocks when the tensor it is called on lives on a GPU (LibTorch)
  kPoll,        // returns a status without waiting; a loop around it waits (cudaEventQuery)
};

enum class WaitsFor { kNothing, kDevice, kStream, kEvent, kResult };
enum class MemoryKind { kUnknown, kPageable, kPinned, kManaged, kDevice };
enum class CopyDirection { kByArgument, kHostToDevice, kDeviceToHost, kDeviceToDevice, kByPointers };

// Argument positions count from 0; kNoArg: none; kReturn: the function's value; kObject: the object of a method call.
inline constexpr int kNoArg = -1, kReturn = -2, kObject = -3;

struct CopyFact {
  int dst = kNoArg, src = kNoArg, bytes = kNoArg, kind = kNoArg, count = kNoArg, element_size = kNoArg;
  CopyDirection direction = CopyDirection::kByArgument;
  int descriptor = kNoArg;  // the struct or array that has all the other values (CUDA_MEMCPY2D, cudaMemcpy3DParms)
};

// A kernel on vectors: element i of each vector that it writes depends only on element i of those that it reads.
struct ElementsFact {
  struct Vector {
    int arg = kNoArg, stride = kNoArg;  // its first element; the distance between two elements
    bool reads = false, writes = false;
  };
  int count = kNoArg;  // the number of elements
  std::vector<Vector> vectors;
};

// Overrides `blocks` of the entry if argument `arg` is spelled `equals` (an enumerator or literal).
struct BlocksException {
  int arg = kNoArg;
  std::string equals;
  Blocks blocks = Blocks::kNever;
};

struct ApiFact {
  std::string name;       // `cudaMemcpy`, `thrust::reduce`, `at::Tensor::item`
  std::string library;    // the YAML file's name without extension
  std::string signature;  // C prototype with parameter names; empty for C++ templates and methods
  std::string header;     // the header that declares it, for the signature test
  Blocks blocks = Blocks::kNever;
  std::vector<BlocksException> except;
  WaitsFor waits_for = WaitsFor::kNothing;
  WaitsFor implicit_wait = WaitsFor::kNothing;  // a wait that is a side effect: cudaFree
  int stream_arg = kNoArg, event_arg = kNoArg;
  bool records_event = false;    // after the work enqueued on its stream so far (cudaEventRecord)
  bool other_extent = false;     // a view of a part of the elements, or of some of them several times
  bool reads_elapsed = false;    // returns the time between two events (cudaEventElapsedTime)
  bool enqueues = false;         // enqueues GPU work on a stream
  bool launches_kernel = false;  // that work is a kernel launch
  std::string enqueued;          // kernel | copy | memset | other; empty: nothing
  bool elementwise = false;  // each element of the kernel's result depends only on the same element of its arguments
  std::optional<ElementsFact> elements;  // the arguments and count of these elements, if known
  std::optional<CopyFact> copy;
  int result_arg = kNoArg;  // the argument to which a host-result call writes
  MemoryKind allocates = MemoryKind::kUnknown;
  int out_arg = kNoArg;  // the argument that receives the allocation (kReturn possible)
  int bytes_arg = kNoArg;
  int registers_arg = kNoArg;  // pins memory that already exists (cudaHostRegister)
  int renames_arg = kNoArg;  // `out` becomes another pointer to the memory of this argument (cudaHostGetDevicePointer)
  MemoryKind frees = MemoryKind::kUnknown;
  int freed_arg = kNoArg;
  bool pooled = false;            // allocates from a pool: cheap in a loop (cudaMallocAsync)
  std::string creates, destroys;  // stream | event | graph | handle; destroys also: cache (of freed memory)
  std::string group;              // begin | end: calls between are aggregated (ncclGroupStart/End)
  std::string sets;               // pointer_mode | math_mode | precision | stream: applies to later calls
  std::string product;            // fp32 | typed: a matrix product of FP32, or of the types named by its arguments
  std::string capture;            // begin | end: calls between are recorded, not run
  std::string host_work;          // reads | logs | clock | sleeps: its work on the host (fread, printf, clocks)
  std::string tensor;             // LibTorch role: see rules/apis/libtorch.yaml's head
  std::string class_argument;     // the entry is only for instances of a class template with this class as an argument
  bool uses_device_memory = false;  // immediately, outside of any stream: MPI_Allreduce on a pointer to device memory
  bool runs_plan = false;           // what it puts on the GPU was put together before (cudaGraphLaunch)
  bool switches_device = false;     // later calls apply to another device or context (cudaSetDevice)
  bool reads_error = false;         // returns, perhaps clears, an earlier call's error; does nothing else
  bool in_error_path = false;       // handles an error (cudaGetErrorString), so the code around it is an error path
  std::vector<std::string> parameters;  // names, from the signature
  std::string removed_in;               // the CUDA version in which `header` no longer declares it, "13.0"
  std::string fixed_in;                 // the first LibTorch version in which this entry no longer applies, "2.6"
  // For the shim's generator, which wraps the function if call_class is not empty. `versions`: the names for which
  // cuGetProcAddress returns this symbol, each with the CUDA version from which on it does.
  std::string call_class;  // wait | copy | allocate | free | launch | poll | module_load | enqueue | other
  std::vector<std::pair<std::string, int>> versions;
};

class ApiTable {
 public:
  // Loads every *.yaml file of a folder. Throws DataError.
  static ApiTable load(const std::string& directory);

  // Adds the functions of one more file of the same form. Throws DataError, also for a function that the table already
  // has.
  void add_file(const std::string& file);

  // Looks up an unqualified C name or a qualified C++ name; nullptr if the tables have no entry.
  const ApiFact* find(const std::string& qualified_name) const;
  const std::vector<ApiFact>& all() const { return facts_; }
  void add(ApiFact fact);

  // Whether the values of the type say if a call succeeded: cudaError, CUresult. `name`: unqualified.
  bool is_status_type(std::string_view name) const { return status_types_.contains(name); }
  void add_status_type(std::string name) { status_types_.insert(std::move(name)); }

 private:
  std::vector<ApiFact> facts_;
  std::unordered_map<std::string, size_t> by_name_;
  std::set<std::string, std::less<>> status_types_;
};

const char* to_string(MemoryKind kind);

// The folder of the data files of this build or installation: <directory of the executable>/../share/syncsniff.
// SYNCSNIFF_DATA_DIR overrides it. Throws std::runtime_error with the places searched.
std::string data_directory();

}  // namespace syncsniff
