#include "instrument/sampler/other_threads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "instrument/sampler/clock.h"
#include "instrument/sampler/proc_files.h"

namespace syncsniff::sampler {
namespace {

using trace::HostState;

// Interval between searches for threads, within which as many may have ended as have begun.
constexpr uint64_t kFindThreadsNs = 50'000'000;
constexpr size_t kMostOtherThreads = 128;
constexpr unsigned kMostPythonSearches = 4;
// A thread that waited for another thread at each look is looked at less often: a pool has as many of these as there
// are processors.
constexpr unsigned kMostPassedOver = 4;

// The link count is the number of threads plus two, so a change shows that threads began or ended.
nlink_t links_of(const std::string& folder) {
  struct stat status{};
  return stat(folder.c_str(), &status) == 0 ? status.st_nlink : 0;
}

// Start address of the main thread's stack: word 28 of /proc/PID/stat.
uint64_t start_of_stack(pid_t pid) {
  const std::string text = text_of_file("/proc/" + std::to_string(pid) + "/stat");
  return std::strtoull(word_of_stat(text, 28).c_str(), nullptr, 10);
}

// How often the kernel has scheduled a thread on a processor: the third number of /proc/PID/task/TID/schedstat. 0: not
// known.
uint32_t turns_of(const std::string& folder) {
  const int file = open((folder + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[96];
  const ssize_t bytes = pread(file, text, sizeof text - 1, 0);
  close(file);
  if (bytes <= 0) return 0;
  text[bytes] = '\0';
  char* at = text;
  std::strtoull(at, &at, 10);
  std::strtoull(at, &at, 10);
  return static_cast<uint32_t>(std::strtoull(at, nullptr, 10));
}

}  // namespace

struct OtherThreads::Thread {
  // Held open only while the thread does not wait for another thread: eight processes of a hundred threads each would
  // exceed `ulimit -n`.
  std::unique_ptr<ThreadStateFile> state_file;
  Snapshot snapshot;                    // memory of its Python frames
  std::unique_ptr<OuterFrames> native;  // nullptr: not tried yet
  unsigned waited = 0, passed_over = 0, python_searches = 0;
};

OtherThreads::OtherThreads(pid_t pid, RemoteMemory& memory, const Objects& objects)
    : pid_(pid), folder_("/proc/" + std::to_string(pid) + "/task"), memory_(memory), table_(memory, objects) {}
OtherThreads::~OtherThreads() = default;

void OtherThreads::forget() { threads_.clear(); }

void OtherThreads::find(const ProcessView& view) {
  const nlink_t links = links_of(folder_);
  if (links == links_ && monotonic_ns() - found_ns_ < kFindThreadsNs) return;
  links_ = links;
  found_ns_ = monotonic_ns();
  std::unordered_set<uint32_t> listed, alive;
  python_.clear();
  for (const trace::BoardThread& thread : view.board.threads) {
    if (thread.tid == 0) continue;
    listed.insert(thread.tid);
    if (python_.empty()) python_ = python_threads(memory_, view.board.python, thread.python_thread);
  }
  if (python_.empty()) python_ = python_threads(memory_, view.board.python, view.python_thread);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename();
    uint32_t tid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), tid).ec != std::errc{}) continue;
    if (listed.count(tid) != 0 || alive.size() == kMostOtherThreads) continue;
    alive.insert(tid);
    auto& thread = threads_[tid];
    if (thread == nullptr) thread = std::make_unique<Thread>();
  }
  std::erase_if(threads_, [&](const auto& known) { return alive.count(known.first) == 0; });
}

// An address above the thread's stack: glibc keeps the list of robust locks beside the thread-local storage, which is
// above the stack. For the process's first thread that is not so, but the kernel gives the start of its stack. 0: not
// known.
uint64_t OtherThreads::top_of_stack(uint32_t tid) const {
  if (tid == static_cast<uint32_t>(pid_)) return start_of_stack(pid_);
  void* list = nullptr;
  size_t bytes = 0;
  return syscall(SYS_get_robust_list, tid, &list, &bytes) == 0 ? reinterpret_cast<uint64_t>(list) : 0;
}

bool OtherThreads::is_pipe(uint64_t descriptor) const {
  static constexpr char kPipe[] = "pipe:";
  char target[sizeof kPipe - 1];
  const std::string link = "/proc/" + std::to_string(pid_) + "/fd/" + std::to_string(descriptor);
  return readlink(link.c_str(), target, sizeof target) == sizeof target &&
         std::memcmp(target, kPipe, sizeof target) == 0;
}

// True if the thread waits for another thread or process, or for data from a pipe: the work, if any, is done there.
bool OtherThreads::waits_for_other(const Thread& thread, HostState state) {
  const uint64_t argument = thread.state_file->first_argument();
  int32_t polled = -1;  // the first descriptor of poll()
  switch (state) {
    case HostState::kLock:
    case HostState::kInterpreter:
      return true;
    case HostState::kRead:
      return is_pipe(argument);
    case HostState::kPoll:
      return memory_.read(argument, &polled, sizeof polled) && polled >= 0 && is_pipe(static_cast<uint64_t>(polled));
    default:
      return false;
  }
}

// A thread that has just begun may not have an interpreter state yet.
uint64_t OtherThreads::python_thread(const trace::Board& board, uint32_t tid, Thread& thread) {
  auto known = python_.find(tid);
  if (known == python_.end() && !python_.empty() && thread.python_searches < kMostPythonSearches) {
    ++thread.python_searches;
    python_ = python_threads(memory_, board.python, python_.begin()->second);
    known = python_.find(tid);
  }
  return known != python_.end() ? known->second : 0;
}

SampledStack OtherThreads::stack_of(ProcessView& view, uint32_t tid, Thread& thread) {
  SampledStack stack;
  if (const uint64_t python = python_thread(view.board, tid, thread); python != 0) {
    PythonWalks walks;
    for (int i = 0; i < 2; ++i) {  // frames that two walks have in common were there all the time
      thread.snapshot.take(memory_);
      walks.add(walk_python(thread.snapshot, view.board.python, python, tid, view.codes));
    }
    for (const PythonFrame& frame : walks.frames()) stack.python.emplace_back(frame.code, frame.instruction);
  }
  if (!stack.python.empty()) return stack;
  if (thread.native == nullptr)
    thread.native = std::make_unique<OuterFrames>(memory_, view.addresses, table_, top_of_stack(tid));
  stack.native = thread.native->read(thread.state_file->stack_pointer());
  return stack;
}

void OtherThreads::sample_one(ProcessView& view, uint32_t tid, Thread& thread, SampleStore& store) {
  if (thread.passed_over < std::min(thread.waited, kMostPassedOver)) {
    ++thread.passed_over;
    return;
  }
  thread.passed_over = 0;
  OtherSample sample{};
  sample.time_ns = monotonic_ns();
  sample.tid = tid;
  if (thread.state_file == nullptr) thread.state_file = std::make_unique<ThreadStateFile>(pid_, tid);
  if (thread.state_file->read({view.board.python_runtime[0], view.board.python_runtime[1]}, sample.state) == ESRCH) {
    found_ns_ = 0;  // another thread may have begun, so the list is read again
    return;
  }
  if (waits_for_other(thread, sample.state)) {
    ++thread.waited;
    thread.state_file.reset();
    return;
  }
  thread.waited = 0;
  if (sample.state != HostState::kRunning) sample.turns = turns_of(folder_ + "/" + std::to_string(tid));
  SampledStack stack = stack_of(view, tid, thread);
  if (view.objects != nullptr) {
    sample.pid = static_cast<uint32_t>(pid_);
    store.move_apart(stack.native, *view.objects, memory_);
  }
  sample.stack = store.name_of(stack);
  if (sample.stack.number != 0 || sample.pid != 0) store.add(sample);
}

void OtherThreads::sample(ProcessView& view, SampleStore& store) {
  find(view);
  for (auto& [tid, thread] : threads_) sample_one(view, tid, *thread, store);
}

}  // namespace syncsniff::sampler
