#include "runtime/shim/thread_state.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "runtime/shim/board.h"
#include "runtime/shim/enqueuers.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/trace/errno_kept.h"
#include "runtime/trace/signals_held.h"

extern "C" void* __libc_stack_end;

namespace syncsniff::shim {
namespace {

pthread_mutex_t g_free_mutex = PTHREAD_MUTEX_INITIALIZER;
ThreadState* g_free = nullptr;
// The kernel maps nothing else this close below a main thread's stack (its smallest gap).
constexpr uintptr_t kMainStackBytes = uintptr_t{128} << 20;
constexpr size_t kHugePageBytes = size_t{2} << 20;
pthread_key_t g_exit_key;
pthread_once_t g_exit_once = PTHREAD_ONCE_INIT;
std::atomic<bool> g_have_key{false};

void thread_ended(void* state) noexcept {
  const trace::SignalsHeld signals_held;
  auto* ended = static_cast<ThreadState*>(state);
  if (t_slot.frame != 0) close_left_hook(*ended);  // cancelled during a wait
  take_off_board(*ended);
  t_slot.state = nullptr;
  pthread_mutex_lock(&g_free_mutex);
  ended->next_free = g_free;
  g_free = ended;
  pthread_mutex_unlock(&g_free_mutex);
}

void make_key() noexcept { g_have_key.store(pthread_key_create(&g_exit_key, thread_ended) == 0); }

void find_stack(ThreadState& thread) noexcept {
  if (syscall(SYS_gettid) == getpid()) {
    thread.stack_top = reinterpret_cast<uintptr_t>(__libc_stack_end);
    thread.stack_low = thread.stack_top - kMainStackBytes;
    return;
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  thread.stack_low = reinterpret_cast<uintptr_t>(low);
  thread.stack_top = thread.stack_low + bytes;
}

ThreadState* take_free() noexcept {
  pthread_mutex_lock(&g_free_mutex);
  ThreadState* state = g_free;
  if (state != nullptr) g_free = state->next_free;
  pthread_mutex_unlock(&g_free_mutex);
  return state;
}

// Zeroed memory aligned to a huge page, so that all that a hook touches of it needs one TLB entry.
void* map_huge_page() noexcept {
  static_assert(sizeof(ThreadState) <= kHugePageBytes);
  void* const raw = mmap(nullptr, 2 * kHugePageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(raw);
  const size_t before = -reinterpret_cast<uintptr_t>(begin) % kHugePageBytes;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + kHugePageBytes, kHugePageBytes - before);
  madvise(begin + before, kHugePageBytes, MADV_HUGEPAGE);  // may fail: then it has small pages
  return begin + before;
}

// Only the first threads get huge pages, since these are the ones that train: with 2 MB for each of a thousand threads,
// a container might run out of memory. None under `ulimit -v`, where the program needs the address space.
ThreadState* map_state() noexcept {
  static std::atomic<int> huge_pages_left{4};
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
  const bool huge = !limited && huge_pages_left.fetch_sub(1) > 0;
  void* memory = huge ? map_huge_page() : nullptr;
  if (memory == nullptr) {
    memory = mmap(nullptr, sizeof(ThreadState), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
  }
  return static_cast<ThreadState*>(memory);
}

ThreadState* make_state() noexcept {
  pthread_once(&g_exit_once, make_key);
  if (!g_have_key.load()) return nullptr;
  ThreadState* state = take_free();
  Enqueuer* enqueuer = state != nullptr ? state->enqueuer : new_enqueuer();
  // With more than a thousand threads, some share their counts from now on, which then prove nothing.
  if (enqueuer == nullptr) {
    static Enqueuer shared;
    enqueuer = &shared;
    give_up_idle();
  }
  trace::ChunkWriter writer;
  const auto tid = static_cast<uint32_t>(syscall(SYS_gettid));
  // With a chunk for each, 16,000 short threads would fill the whole trace: a new thread continues the chunk of one
  // that has ended.
  if (state != nullptr && trace_file().owned()) {
    writer = state->writer;
    writer.hand_to(tid);
  } else {
    writer.start(&trace_file(), tid);
  }
  if (state != nullptr) {
    // The caches of the thread before hold addresses of its stack and of its records, so they are emptied.
    madvise(state, sizeof(ThreadState), MADV_DONTNEED);
  } else {
    state = map_state();
    if (state == nullptr) return nullptr;
  }
  new (&state->writer) trace::ChunkWriter(writer);
  state->tid = tid;
  state->places.start(&state->place_storage);
  find_stack(*state);
  state->device = -1;
  state->enqueuer = enqueuer;
  pthread_setspecific(g_exit_key, state);
  describe_thread(*state);
  put_on_board(*state);
  return state;
}

}  // namespace

constinit thread_local ThreadSlot t_slot{nullptr, 0, nullptr};

ThreadState* enter_unusual() noexcept {
  if (t_slot.state != nullptr) {
    finish_nested_work(*t_slot.state);
    return t_slot.state;
  }
  const trace::ErrnoKept errno_kept;
  const trace::SignalsHeld signals_held;
  t_slot.state = make_state();
  if (t_slot.state == nullptr) {
    leave();
    trace_file().count_dropped();
  }
  return t_slot.state;
}

}  // namespace syncsniff::shim
