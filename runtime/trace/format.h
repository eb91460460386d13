// The trace file, byte by byte: written by the shim inside the user's process, read by instrument/reader. Plain structs
// of fixed size, little-endian, no pointers, C++17; includes nothing but <cstdint>.
// There is one file per process: a FileHeader, then chunks of kChunkBytes. A chunk belongs to one thread at a time and
// consists of a ChunkHeader and records.
#pragma once

#include <cstdint>

namespace syncsniff::trace {

inline constexpr char kMagic[8] = {'S', 'S', 'T', 'R', 'A', 'C', 'E', '1'};
// Version 1: a chunk belongs to one thread for good. Version 2: a kThread record may hand it to another thread.
inline constexpr uint32_t kVersion = 2, kOldestVersion = 1;
constexpr bool is_readable(uint32_t version) { return version >= kOldestVersion && version <= kVersion; }
inline constexpr uint32_t kHeaderBytes = 4096;
inline constexpr uint32_t kChunkBytes = 64 * 1024;
inline constexpr uint32_t kRecordBytes = 64;

enum class StopReason : uint32_t {
  kRunning = 0,   // still open, or the process was killed: the run ended early
  kExit = 1,      // closed at exit
  kDiskFull = 2,  // blocks could not be allocated; recording stopped, the program went on
  kSizeLimit = 3,
};

// Which of the GPU's work is recorded.
enum class TimelineMode : uint32_t { kOff, kWindows, kFull };

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t chunk_bytes;
  uint32_t pid, ppid;
  uint64_t start_monotonic_ns;  // CLOCK_MONOTONIC at open; every time in the file is on this clock
  uint64_t start_realtime_ns;   // CLOCK_REALTIME at the same moment
  uint64_t end_monotonic_ns;    // 0 until closed
  uint32_t stop_reason;         // StopReason
  uint32_t chunks;              // chunks handed to threads; the file may be longer, since blocks are allocated ahead
  uint64_t dropped_records;
  uint32_t timeline_mode;   // TimelineMode
  uint32_t driver_version;  // cuDriverGetVersion
  char executable[1024];
  char command_line[2048];             // arguments separated by '\0', truncated to this size; secrets are masked
  uint64_t storage_ns;                 // how long threads waited for the file system to make room
  uint64_t nested_waits, nested_work;  // calls that signal handlers made inside another call; they have no record
  uint64_t window_turn;   // odd while a window is open (see WindowRecord); its low half is the launcher's futex
  uint64_t board;         // address of the process's Board (runtime/trace/board.h); 0: it has none
  uint32_t rank_and_one;  // the process's rank in its job, as the job's launcher numbered it, plus 1; 0: none
  uint32_t reserved0;
  char reserved[904];

  TimelineMode mode() const { return static_cast<TimelineMode>(timeline_mode); }
};
static_assert(sizeof(FileHeader) == kHeaderBytes);

struct ChunkHeader {
  uint32_t magic;       // kChunkMagic
  uint32_t tid;         // tid of its first thread
  uint32_t sequence;    // index of this chunk among those of its first thread, from 0
  uint32_t used_bytes;  // bytes of records; stored with release order after each complete record
  char reserved[48];
};
inline constexpr uint32_t kChunkMagic = 0x4b4e4843;  // "CHNK"
static_assert(sizeof(ChunkHeader) == kRecordBytes);

enum class RecordType : uint16_t {
  kNone = 0,
  kCall = 1,   // one timed call that can block or marks a step, or (in a window, a full timeline) any launch or copy
  kIdle = 2,   // the GPU was provably empty: a wait had drained it, and nothing was enqueued until the end time
  kBurst = 3,  // what one thread enqueued between two blocking calls; without these, from one mark to the next
  // Calls of one api from one stack (and function, and kinds of memory) that are counted, not listed; updated in place.
  // For polls, each query counts, also those of a spin. Launches and copies may be listed as well.
  kSiteCount = 4,
  kStack = 5,        // defines a stack id; frames follow in kPayload records
  kModule = 6,       // a mapped object; build-id and path follow
  kPythonCode = 7,   // a code object; file, name and line table follow
  kString = 8,       // defines a string id; bytes follow
  kRange = 9,        // NVTX range, written when it closes
  kGpuWork = 10,     // CUPTI: one kernel, copy or set
  kClockPair = 11,   // CUPTI time and CLOCK_MONOTONIC read together
  kThread = 12,      // thread name follows; with an id, later records of the chunk are that thread's
  kNote = 13,        // text for the report follows: what could not be recorded, and why
  kApiName = 14,     // defines an api id; name follows
  kAllocation = 15,  // host memory whose kind is known: pinned, registered or managed, and where it was allocated
  kPayload = 16,     // continuation of the record before it
  kSymbol = 17,      // function, file and line of one return address; appended after the run, never by the shim
  kWindow = 18,      // between its two times, every call and all work of the GPU is listed
  kSample = 19,      // where a thread was at one moment, read from outside; appended after the run, never by the shim
  kSent = 20,        // samples of the bytes that a listed copy took from the host to a device
  kGemm = 21,    // one matrix product requested from a library; its launches are those of its thread within its time
  kDevice = 22,  // properties of one device, from the driver
  kOtherSample = 23,  // where a thread without CUDA calls was while the others waited; appended after the run
  kProcess = 24,      // the name of a process that the program started; appended after the run
};

enum class CallClass : uint8_t {
  kOther = 0,
  kWait,
  kImplicitWait,
  kCopy,
  kAllocate,
  kFree,
  kLaunch,
  kPoll,
  kModuleLoad
};
enum class HostMemory : uint8_t { kUnknown = 0, kPageable, kPinned, kManaged, kDevice, kArray };
enum CallFlags : uint8_t {
  kBlocked = 1,  // the call is known to have waited for the device
  kDrained = 2,  // the device is provably empty when it returns
  kFailed = 4,
  kLegacyStream = 8,
  kPerThreadStream = 16,
  kCapturing = 32,
  kInWindow = 64,  // listed because a window of the timeline is open; it is counted as well
};

// Ids (stack, api, string, code) are dense from 1 and unique in the file; 0: none.
struct CallRecord {
  uint16_t type;                   // RecordType::kCall
  uint16_t api;                    // id of a kApiName
  uint8_t call_class;              // CallClass
  uint8_t flags;                   // CallFlags
  uint8_t src_memory, dst_memory;  // HostMemory
  uint32_t stack;
  uint32_t device;
  uint64_t begin_ns;
  uint64_t duration_ns;
  uint64_t stream;
  uint64_t object;  // event, function or address, depending on the api
  uint64_t bytes;
  uint32_t polls;  // number of queries, where a spin on a query is folded into one record
  int32_t result;  // CUresult
};
static_assert(sizeof(CallRecord) == kRecordBytes);

struct IdleRecord {
  uint16_t type;
  uint16_t wait_api;
  uint32_t wait_stack;     // stack of the wait after which the device was empty
  uint32_t enqueue_stack;  // stack of the call that ended the idle time
  uint32_t device;
  uint64_t begin_ns;  // the wait's return
  uint64_t end_ns;    // the next enqueue's begin
  uint64_t wait_begin_ns;
  uint32_t wait_tid, enqueue_tid;
  char reserved[16];
};
static_assert(sizeof(IdleRecord) == kRecordBytes);

struct BurstRecord {
  uint16_t type;
  uint16_t reserved0;
  uint32_t launches;
  uint32_t copies;
  uint32_t others;  // memsets, event records, host functions
  uint64_t first_begin_ns;
  uint64_t last_end_ns;
  uint64_t in_calls_ns;  // host time spent inside the enqueueing calls
  uint32_t first_stack, last_stack;
  char reserved[16];
};
static_assert(sizeof(BurstRecord) == kRecordBytes);

struct SiteCountRecord {
  uint16_t type;
  uint16_t api;
  uint8_t call_class;
  uint8_t src_memory, dst_memory;  // HostMemory, of copies
  uint8_t reserved0;
  uint32_t stack;
  uint32_t device;
  uint64_t count;
  uint64_t total_ns;
  uint64_t bytes;
  uint64_t first_ns, last_ns;
  uint64_t object;  // function handle of a launch
};
static_assert(sizeof(SiteCountRecord) == kRecordBytes);

// Payload: native return addresses (uint64_t, innermost first), then Python frames (uint32_t code id, uint32_t
// instruction offset in bytes from the start of the code; innermost first).
struct StackRecord {
  uint16_t type;
  uint16_t native_frames;
  uint16_t python_frames;
  uint16_t reserved0;
  uint32_t stack;
  uint32_t payload_bytes;
  char reserved[48];
};
static_assert(sizeof(StackRecord) == kRecordBytes);

// Payload: build-id bytes, then the path.
struct ModuleRecord {
  uint16_t type;
  uint16_t build_id_bytes;
  uint32_t path_bytes;
  uint64_t load_bias;   // subtract from an address to get the object's own
  uint64_t begin, end;  // mapped address range
  char reserved[32];
};
static_assert(sizeof(ModuleRecord) == kRecordBytes);

// Payload: file name, qualified name, line table (co_linetable of `python_version`).
struct PythonCodeRecord {
  uint16_t type;
  uint16_t file_bytes;
  uint16_t name_bytes;
  uint16_t python_version;  // 0x030b for 3.11
  uint32_t code;
  uint32_t linetable_bytes;
  int32_t first_line;
  char reserved[44];
};
static_assert(sizeof(PythonCodeRecord) == kRecordBytes);

// kString, kThread, kNote and kApiName have this shape; `id` is 0 for kNote; for kThread it is the tid, or 0 for the
// chunk's.
struct TextRecord {
  uint16_t type;
  uint16_t reserved0;
  uint32_t id;
  uint32_t bytes;
  uint32_t reserved1;
  uint64_t time_ns;
  char reserved[40];
};
static_assert(sizeof(TextRecord) == kRecordBytes);

struct RangeRecord {
  uint16_t type;
  uint16_t depth;
  uint32_t name;  // string id
  uint64_t begin_ns, end_ns;
  uint32_t color;
  uint32_t domain;  // string id of the NVTX domain's name; 0: the default domain
  char reserved[32];
};
static_assert(sizeof(RangeRecord) == kRecordBytes);

enum class GpuWorkKind : uint8_t { kKernel = 1, kCopyH2D, kCopyD2H, kCopyD2D, kCopyOther, kSet };

struct GpuWorkRecord {
  uint16_t type;
  uint8_t kind;  // GpuWorkKind
  uint8_t reserved0;
  uint32_t device;
  uint32_t stream;  // CUPTI's stream id
  uint32_t correlation;
  uint64_t begin_ns, end_ns;  // on CUPTI's clock; kClockPair records convert it to CLOCK_MONOTONIC
  uint64_t bytes;
  uint32_t name;  // string id of the kernel's mangled name
  uint32_t grid[3];
  uint32_t block_threads;
  uint32_t graph;  // 0: not from a graph
};
static_assert(sizeof(GpuWorkRecord) == kRecordBytes);

struct ClockPairRecord {
  uint16_t type;
  uint16_t reserved0[3];
  uint64_t monotonic_ns;
  uint64_t cupti_ns;
  char reserved[40];
};
static_assert(sizeof(ClockPairRecord) == kRecordBytes);

// A window of the timeline. Calls are listed from before begin_ns until after end_ns, so each call in between has a
// record.
struct WindowRecord {
  uint16_t type;
  uint16_t reserved0[3];
  uint64_t begin_ns, end_ns;  // when the GPU's work was recorded; end_ns is 0 until the window is closed
  uint64_t launches;  // number of launches that all threads had begun, on all devices, when the window was opened
  char reserved[32];
};
static_assert(sizeof(WindowRecord) == kRecordBytes);

// What a sampled thread was doing, according to the kernel and the interpreter.
enum class HostState : uint8_t {
  kUnknown = 0,
  kRunning,
  kAsleep,       // waits for time to pass: sleep, usleep, nanosleep
  kLock,         // waits for another thread: a lock, a condition, a queue
  kInterpreter,  // waits for Python's global lock
  kRead,         // waits for a file, a pipe or a socket that it reads or writes
  kPoll,         // waits for one of several descriptors: select, poll, epoll
  kProcess,      // waits for another process to end
};

// True if the thread waits for an action of another thread or process; waiting for the GIL counts.
constexpr bool waits_for_others(HostState state) {
  return state == HostState::kLock || state == HostState::kInterpreter || state == HostState::kRead ||
         state == HostState::kPoll || state == HostState::kProcess;
}

struct SampleRecord {
  uint16_t type;
  uint8_t state;    // HostState
  uint8_t in_call;  // 1: inside a CUDA call that the shim watches; the stack is that call's
  uint32_t stack;
  uint32_t tid;  // of the sampled thread
  uint32_t reserved0;
  uint64_t time_ns;
  char reserved[40];
};
static_assert(sizeof(SampleRecord) == kRecordBytes);

// A sample of a thread without CUDA calls, taken while all threads that make CUDA calls waited outside of CUDA. The
// thread belongs to the process, or to one that the program has started.
struct OtherSampleRecord {
  uint16_t type;
  uint8_t state;  // HostState
  uint8_t reserved0;
  uint32_t stack;
  uint32_t tid;
  uint32_t turns;  // how often the kernel had scheduled it on a processor; 0: not known
  uint64_t time_ns;
  uint32_t pid;  // pid of a kProcess record; 0: the thread belongs to the traced process
  char reserved[36];
};
static_assert(sizeof(OtherSampleRecord) == kRecordBytes);

// Has no payload, so that readers that do not know the type can skip it.
struct ProcessRecord {
  uint16_t type;
  uint16_t name_bytes;
  uint32_t pid;
  char name[56];  // the first 56 bytes of the name
};
static_assert(sizeof(ProcessRecord) == kRecordBytes);

// Samples of a copy's source: 16 pieces of 64 bytes, at the same offsets in all copies of the same size. The record
// belongs to the kCall record of the same thread with the same begin time, and precedes it; without that record it is
// to be ignored.
struct SentRecord {
  uint16_t type;
  // `compared` words were compared with the word before them in their piece; `varied` of them differ.
  uint16_t varied, compared;
  uint16_t reserved0;
  uint64_t begin_ns;  // the copy's
  uint64_t address, bytes;
  uint64_t hash;
  char reserved[24];
};
static_assert(sizeof(SentRecord) == kRecordBytes);

// The number format in which the GPU's units multiply for a matrix product.
enum class GemmMath : uint8_t { kUnknown = 0, kF64, kF32, kTf32, kF16, kBf16, kFp8, kFp4, kInt8 };

// One matrix product. Written in windows and full timelines, after the library has returned. Of nested calls, only the
// outermost has a record.
struct GemmRecord {
  uint16_t type;
  uint8_t math;                // GemmMath
  uint8_t is_complex;          // 1: a product takes four multiplications
  uint16_t in_bits, out_bits;  // of an element of the factors and of the result; 0: not known
  uint64_t begin_ns, duration_ns;
  uint64_t m, n, k, batch;  // m x k times k x n, `batch` times
  char reserved[8];
};
static_assert(sizeof(GemmRecord) == kRecordBytes);

struct DeviceRecord {
  uint16_t type;
  uint16_t major, minor;  // compute capability
  uint16_t reserved0;
  uint32_t device;
  uint32_t name;  // string id
  uint32_t multiprocessors;
  uint32_t clock_khz, memory_clock_khz;  // the highest
  uint32_t memory_bus_bits;
  uint32_t pci_domain, pci_bus, pci_device;
  char reserved[20];
};
static_assert(sizeof(DeviceRecord) == kRecordBytes);

struct AllocationRecord {
  uint16_t type;
  uint16_t api;
  uint8_t memory;  // HostMemory
  uint8_t freed;   // 1: this record ends the allocation
  uint16_t reserved0;
  uint32_t stack;
  uint32_t reserved1;
  uint64_t address, bytes;
  uint64_t time_ns;
  char reserved[24];
};
static_assert(sizeof(AllocationRecord) == kRecordBytes);

// Payload: function name, then file name. Consecutive records of one address are its chain of inlined functions,
// innermost first. `syncsniff run` appends them, so that a trace can be read on a machine without the program.
struct SymbolRecord {
  uint16_t type;
  uint16_t reserved0;
  uint32_t line;
  uint64_t address;  // the return address, as in the stacks
  uint32_t function_bytes, file_bytes;
  char reserved[40];
};
static_assert(sizeof(SymbolRecord) == kRecordBytes);

inline constexpr uint32_t kPayloadBytesPerRecord = 60;
struct PayloadRecord {
  uint16_t type;
  uint16_t bytes;  // how many bytes of data are used
  char data[kPayloadBytesPerRecord];
};
static_assert(sizeof(PayloadRecord) == kRecordBytes);

}  // namespace syncsniff::trace
