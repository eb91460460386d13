#include "runtime/shim/thread_state.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "runtime/shim/recorder.h"

extern "C" void* __libc_stack_end;

namespace syncsniff::shim {
namespace {

struct ThreadSlot {
  ThreadState* state = nullptr;
  bool busy = false;
};

// A preloaded library has room in the static TLS block: initial-exec costs one instruction and never allocates.
[[gnu::tls_model("initial-exec")]] thread_local ThreadSlot t_slot;

std::atomic<bool> g_recording{false};
pthread_mutex_t g_free_mutex = PTHREAD_MUTEX_INITIALIZER;
ThreadState* g_free = nullptr;
pthread_key_t g_exit_key;
pthread_once_t g_exit_once = PTHREAD_ONCE_INIT;
std::atomic<bool> g_have_key{false};

void thread_ended(void* state) noexcept {
  t_slot.state = nullptr;
  auto* ended = static_cast<ThreadState*>(state);
  pthread_mutex_lock(&g_free_mutex);
  ended->next_free = g_free;
  g_free = ended;
  pthread_mutex_unlock(&g_free_mutex);
}

void make_key() noexcept { g_have_key.store(pthread_key_create(&g_exit_key, thread_ended) == 0); }

uintptr_t find_stack_top() noexcept {
  if (syscall(SYS_gettid) == getpid()) return reinterpret_cast<uintptr_t>(__libc_stack_end);
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* low = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(low) + bytes;
}

ThreadState* take_free() noexcept {
  pthread_mutex_lock(&g_free_mutex);
  ThreadState* state = g_free;
  if (state != nullptr) g_free = state->next_free;
  pthread_mutex_unlock(&g_free_mutex);
  return state;
}

[[gnu::cold, gnu::noinline]] ThreadState* make_state() noexcept {
  pthread_once(&g_exit_once, make_key);
  if (!g_have_key.load()) return nullptr;
  ThreadState* state = take_free();
  if (state != nullptr) {
    // Stack and site caches of the thread before hold addresses of its stack and records of its chunk: start anew.
    madvise(state, sizeof(ThreadState), MADV_DONTNEED);
  } else {
    void* memory = mmap(nullptr, sizeof(ThreadState), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    state = static_cast<ThreadState*>(memory);
  }
  new (&state->writer) trace::ChunkWriter();
  state->tid = static_cast<uint32_t>(syscall(SYS_gettid));
  state->writer.start(&trace_file(), state->tid);
  state->stack_top = find_stack_top();
  state->device = -1;
  pthread_setspecific(g_exit_key, state);
  describe_thread(*state);
  return state;
}

}  // namespace

bool recording() noexcept { return g_recording.load(std::memory_order_relaxed); }
void set_recording(bool on) noexcept { g_recording.store(on, std::memory_order_release); }

ThreadState* enter() noexcept {
  if (!recording() || t_slot.busy || !trace_file().writable()) return nullptr;
  t_slot.busy = true;
  if (t_slot.state == nullptr) t_slot.state = make_state();
  if (t_slot.state == nullptr) t_slot.busy = false;
  return t_slot.state;
}

void leave() noexcept { t_slot.busy = false; }

}  // namespace syncsniff::shim
