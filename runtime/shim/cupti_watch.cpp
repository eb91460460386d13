// Detects another profiler: its first calls of CUPTI come through the dynamic linker to these functions, which give up
// CUPTI and jump to the function that the call would have reached.
#include <dlfcn.h>

#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/resolve.h"

extern "C" [[gnu::visibility("hidden"), gnu::used]] void* syncsniff_ask_cupti(const char* name,
                                                                              const void* caller) noexcept {
  syncsniff::shim::yield_timeline();
  return syncsniff::shim::real_cupti_symbol(name, caller);
}

// The arguments (at most six integers) are saved and restored around our code, then control jumps to the real function.
// Returns 1, CUPTI_ERROR_INVALID_PARAMETER, if there is no real function.
#define SYNCSNIFF_CUPTI_ENTRY(name)                                                                   \
  asm(".text\n.globl " name "\n.type " name ", @function\n" name                                      \
      ":\n"                                                                                           \
      "  .cfi_startproc\n  endbr64\n"                                                                 \
      "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n"            \
      "  subq $8, %rsp\n  .cfi_adjust_cfa_offset 56\n"                                                \
      "  leaq 9f(%rip), %rdi\n  movq 56(%rsp), %rsi\n"                                                \
      "  call syncsniff_ask_cupti\n"                                                                  \
      "  addq $8, %rsp\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n" \
      "  .cfi_adjust_cfa_offset -56\n"                                                                \
      "  testq %rax, %rax\n  jz 1f\n  jmp *%rax\n"                                                    \
      "1: movl $1, %eax\n  ret\n  .cfi_endproc\n.size " name ", . - " name                            \
      "\n"                                                                                            \
      ".section .rodata\n9: .asciz \"" name "\"\n.text\n")

SYNCSNIFF_CUPTI_ENTRY("cuptiSubscribe");
SYNCSNIFF_CUPTI_ENTRY("cuptiSubscribe_v2");
SYNCSNIFF_CUPTI_ENTRY("cuptiActivityEnable");
SYNCSNIFF_CUPTI_ENTRY("cuptiActivityRegisterCallbacks");
