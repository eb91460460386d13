// The trace file, byte by byte: written by the shim inside the user's process, read by instrument/reader.
// Plain structs of fixed size, little-endian, no pointers, C++17; includes nothing but <cstdint>.
// One file a process: a FileHeader, then chunks of kChunkBytes; each chunk belongs to one thread at a time and holds
// Records.
#pragma once

#include <cstdint>

namespace syncsniff::trace {

inline constexpr char kMagic[8] = {'S', 'S', 'T', 'R', 'A', 'C', 'E', '1'};
// 1: a chunk belongs to one thread for good. 2: a kThread record may hand it on.
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

// What is recorded of the GPU's side.
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
  uint32_t chunks;              // chunks handed to threads; the file may be longer (blocks are allocated ahead)
  uint64_t dropped_records;
  uint32_t timeline_mode;   // TimelineMode
  uint32_t driver_version;  // cuDriverGetVersion
  char executable[1024];
  char command_line[2048];             // arguments separated by '\0', cut at the end; secrets are masked
  uint64_t storage_ns;                 // how long threads waited for the file system to make room
  uint64_t nested_waits, nested_work;  // calls that signal handlers made within another call: counted here alone
  uint64_t window_turn;   // odd while a window is open (see WindowRecord); a futex (its low half) of the launcher's
  uint64_t board;         // address of the process's Board (runtime/trace/board.h); 0: it has none
  uint32_t rank_and_one;  // of the process in its job, as its launcher numbered it, and 1; 0: it has none
  uint32_t reserved0;
  char reserved[904];

  TimelineMode mode() const { return static_cast<TimelineMode>(timeline_mode); }
};
static_assert(sizeof(FileHeader) == kHeaderBytes);

struct ChunkHeader {
  uint32_t magic;       // kChunkMagic
  uint32_t tid;         // of its first thread
  uint32_t sequence;    // of that thread's chunks, from 0
  uint32_t used_bytes;  // of records, stored with release order after each record is whole
  char reserved[48];
};
inline constexpr uint32_t kChunkMagic = 0x4b4e4843;  // "CHNK"
static_assert(sizeof(ChunkHeader) == kRecordBytes);

enum class RecordType : uint16_t {
  kNone = 0,
  kCall = 1,   // one timed call that can block, or (full timeline) any launch or copy
  kIdle = 2,   // the GPU was provably empty: a wait had drained it, nothing was enqueued until end
  kBurst = 3,  // what one thread enqueued between two blocking calls
  // Calls of one api from one stack (and function, and kinds of memory) that are counted, not listed; updated in place.
  // Polls count every ask here, also those of a spin; in a full timeline launches and copies are listed as well.
  kSiteCount = 4,
  kStack = 5,       // defines a stack id; frames follow in kPayload records
  kModule = 6,      // a mapped object; build-id and path follow
  kPythonCode = 7,  // a code object; file, name and line table follow
  kString = 8,      // defines a string id; bytes follow
  kRange = 9,       // NVTX range, written when it closes
  kGpuWork = 10,    // CUPTI: one kernel, copy or set
  kClockPair = 11,  // CUPTI time and CLOCK_MONOTONIC read together
  kThread = 12,   // thread name follows; an id says whose the records from here to the chunk's end are, or to the next
  kNote = 13,     // text for the report follows: what we could not see and why
  kApiName = 14,  // defines an api id; name follows
  kAllocation = 15,  // host memory whose kind we saw: pinned, registered or managed, and where it came from
  kPayload = 16,     // continuation of the record before it
  kSymbol = 17,      // what one return address means; appended after the run, never by the shim
  kWindow = 18,      // between these two times every call and all work of the GPU is listed
  kSample = 19,      // where a thread was at one moment, seen from outside; appended after the run, never by the shim
  kSent = 20,        // what a listed copy took from the host to a device, by samples of it
  kGemm = 21,        // one matrix product that a library was asked for; its launches are its thread's between its times
  kDevice = 22,      // what the driver says of one device
  kOtherSample = 23,  // where a thread without CUDA calls was while the others waited; appended after the run
  kProcess = 24,      // what a process that the program has started is called; appended after the run
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
  uint64_t object;  // event, function or address; by api
  uint64_t bytes;
  uint32_t polls;  // a spin on a query, folded into one record: how many asks
  int32_t result;  // CUresult
};
static_assert(sizeof(CallRecord) == kRecordBytes);

struct IdleRecord {
  uint16_t type;
  uint16_t wait_api;
  uint32_t wait_stack;     // the wait after which the device was empty
  uint32_t enqueue_stack;  // who ended the idle time
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

// kString, kThread, kNote and kApiName share this shape; `id` is 0 for kNote, of kThread the tid (0: the chunk's).
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
  uint64_t begin_ns, end_ns;  // CUPTI's clock; kClockPair records carry it to CLOCK_MONOTONIC
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

// A window of the timeline. Calls are listed from before begin_ns until after end_ns, so each one between has a record.
struct WindowRecord {
  uint16_t type;
  uint16_t reserved0[3];
  uint64_t begin_ns, end_ns;  // the GPU's side was being recorded; end_ns is 0 until the window is closed
  uint64_t launches;          // begun by the program so far, of all threads and devices, when it was opened
  char reserved[32];
};
static_assert(sizeof(WindowRecord) == kRecordBytes);

// What the thread was doing, as the kernel and the interpreter tell it.
enum class HostState : uint8_t {
  kUnknown = 0,
  kRunning,
  kAsleep,       // asked for time to pass: sleep, usleep, nanosleep
  kLock,         // waits for another thread: a lock, a condition, a queue
  kInterpreter,  // waits for Python's global lock
  kRead,         // waits for a file, a pipe or a socket that it reads or writes
  kPoll,         // waits for one of several descriptors: select, poll, epoll
  kProcess,      // waits for another process to end
};

// Waits for what another thread or process does; the GIL is one of these.
constexpr bool waits_for_others(HostState state) {
  return state == HostState::kLock || state == HostState::kInterpreter || state == HostState::kRead ||
         state == HostState::kPoll || state == HostState::kProcess;
}

struct SampleRecord {
  uint16_t type;
  uint8_t state;    // HostState
  uint8_t in_call;  // 1: inside a CUDA call that the shim watches; the stack is that call's
  uint32_t stack;
  uint32_t tid;  // whose
  uint32_t reserved0;
  uint64_t time_ns;
  char reserved[40];
};
static_assert(sizeof(SampleRecord) == kRecordBytes);

// Of a thread that makes no CUDA calls, while all that make them waited outside of CUDA: one of the process, or of
// another that it has started.
struct OtherSampleRecord {
  uint16_t type;
  uint8_t state;  // HostState
  uint8_t reserved0;
  uint32_t stack;
  uint32_t tid;
  uint32_t turns;  // how often the kernel had given it a processor; 0: not known
  uint64_t time_ns;
  uint32_t pid;  // of a kProcess record; 0: a thread of the process
  char reserved[36];
};
static_assert(sizeof(OtherSampleRecord) == kRecordBytes);

// Without a payload: readers that do not know the type skip it.
struct ProcessRecord {
  uint16_t type;
  uint16_t name_bytes;
  uint32_t pid;
  char name[56];  // the start of it
};
static_assert(sizeof(ProcessRecord) == kRecordBytes);

// Of 16 pieces of 64 bytes that lie at the same places in all copies of as many bytes. It stands before the kCall
// record of the same thread that begins at the same time; without one it says nothing.
struct SentRecord {
  uint16_t type;
  uint16_t varied, compared;  // so many of the compared words differ from the word before them in their piece
  uint16_t reserved0;
  uint64_t begin_ns;  // the copy's
  uint64_t address, bytes;
  uint64_t hash;
  char reserved[24];
};
static_assert(sizeof(SentRecord) == kRecordBytes);

// In what the units multiply that a matrix product was asked for.
enum class GemmMath : uint8_t { kUnknown = 0, kF64, kF32, kTf32, kF16, kBf16, kFp8, kFp4, kInt8 };

// Written while every call is listed, when the library has returned. Of calls within another one, the outer one alone.
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

// Payload: function name, then file name. Several records of one address in sequence are its inline chain, innermost
// first. `syncsniff run` appends them, so that a trace can be read on a machine that has not the program.
struct SymbolRecord {
  uint16_t type;
  uint16_t reserved0;
  uint32_t line;
  uint64_t address;  // as in the stacks: the return address
  uint32_t function_bytes, file_bytes;
  char reserved[40];
};
static_assert(sizeof(SymbolRecord) == kRecordBytes);

inline constexpr uint32_t kPayloadBytesPerRecord = 60;
struct PayloadRecord {
  uint16_t type;
  uint16_t bytes;  // used of data
  char data[kPayloadBytesPerRecord];
};
static_assert(sizeof(PayloadRecord) == kRecordBytes);

}  // namespace syncsniff::trace
