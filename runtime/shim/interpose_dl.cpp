// The exported dlsym and dlopen. The real ones use their caller's return address (RTLD_NEXT, RUNPATH, namespaces), so
// ours are written in assembly: they call a function that decides, then jump to the real one as if the shim were not
// there.
#include <dlfcn.h>

#include "runtime/shim/deep_bind.h"
#include "runtime/shim/resolve.h"

#if !defined(__x86_64__)
#error "the shim is written for x86-64: entry trampolines and stack words"
#endif

extern "C" {
[[gnu::visibility("hidden"), gnu::used]] void* syncsniff_real_dlsym = nullptr;
[[gnu::visibility("hidden"), gnu::used]] void* syncsniff_real_dlopen = nullptr;

[[gnu::visibility("hidden"), gnu::used]] void* syncsniff_ask_dlsym(void* handle, const char* name,
                                                                   const void* caller) noexcept {
  if (syncsniff_real_dlsym == nullptr) syncsniff_real_dlsym = syncsniff::shim::real_dlsym_pointer();
  return syncsniff::shim::decide_dlsym(handle, name, caller);
}

[[gnu::visibility("hidden"), gnu::used]] void* syncsniff_ask_dlopen(const char* file, int flags,
                                                                    const void* caller) noexcept {
  if (syncsniff_real_dlopen == nullptr) syncsniff_real_dlopen = syncsniff::shim::real_dlsym(RTLD_NEXT, "dlopen");
  return (flags & RTLD_DEEPBIND) != 0 ? syncsniff::shim::open_deep_bound(file, flags, caller) : nullptr;
}
}

// ask(arg0, arg1, return address) returns 0: jump to the real function; 1: return null; otherwise the result to return.
#define SYNCSNIFF_ENTRY(name, ask, real) \
  asm(".text\n"                          \
      ".globl " name                     \
      "\n"                               \
      ".type " name ", @function\n" name \
      ":\n"                              \
      "  .cfi_startproc\n"               \
      "  endbr64\n"                      \
      "  pushq %rdi\n"                   \
      "  .cfi_adjust_cfa_offset 8\n"     \
      "  pushq %rsi\n"                   \
      "  .cfi_adjust_cfa_offset 8\n"     \
      "  subq $8, %rsp\n"                \
      "  .cfi_adjust_cfa_offset 8\n"     \
      "  movq 24(%rsp), %rdx\n"          \
      "  call " ask                      \
      "\n"                               \
      "  addq $8, %rsp\n"                \
      "  .cfi_adjust_cfa_offset -8\n"    \
      "  popq %rsi\n"                    \
      "  .cfi_adjust_cfa_offset -8\n"    \
      "  popq %rdi\n"                    \
      "  .cfi_adjust_cfa_offset -8\n"    \
      "  cmpq $1, %rax\n"                \
      "  ja 2f\n"                        \
      "  jb 1f\n"                        \
      "  xorl %eax, %eax\n"              \
      "  ret\n"                          \
      "1: jmp *" real                    \
      "(%rip)\n"                         \
      "2: ret\n"                         \
      "  .cfi_endproc\n"                 \
      ".size " name ", . - " name "\n")

SYNCSNIFF_ENTRY("dlsym", "syncsniff_ask_dlsym", "syncsniff_real_dlsym");
SYNCSNIFF_ENTRY("dlopen", "syncsniff_ask_dlopen", "syncsniff_real_dlopen");
