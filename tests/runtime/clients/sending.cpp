#include "tests/runtime/clients/sending.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

constexpr size_t kKiB = 1024, kMost = 1024 * kKiB;
constexpr int kErrno = 77;

struct Sender {
  Session s;
  CUdeviceptr device = 0;

  explicit Sender(const Driver& driver) : s(driver) { CHECK_CU(s.cu.cuMemAlloc_v2(&device, kMost)); }
  void send(const void* from, size_t bytes) const {
    errno = kErrno;
    CHECK_CU(s.cu.cuMemcpyHtoDAsync_v2(device, from, bytes, s.stream));
    if (errno != kErrno) fail("errno is another one");
  }
};

void fill(char* bytes, size_t count, char first) { std::iota(bytes, bytes + count, first); }

// `count` bytes that end where nothing can be read any more.
char* before_a_guard(size_t count) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), whole = (count + page - 1) / page * page;
  char* begin =
      static_cast<char*>(mmap(nullptr, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (begin == MAP_FAILED || mprotect(begin + whole, page, PROT_NONE) != 0) fail("no guarded page");
  return begin + whole - count;
}

bool refuse_reading() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

void sends_again(const Driver& driver) {
  const Sender sender(driver);
  void* pinned = nullptr;
  CHECK_CU(sender.s.cu.cuMemAllocHost_v2(&pinned, kMost));
  fill(static_cast<char*>(pinned), kMost, 0);
  for (int i = 0; i < 3; ++i) sender.send(pinned, kMost);
  std::vector<char> pageable(512 * kKiB), other(256 * kKiB), zeros(128 * kKiB);
  for (char i = 0; i < 3; ++i) {
    fill(pageable.data(), pageable.size(), i);
    sender.send(pageable.data(), pageable.size());
  }
  fill(other.data(), other.size(), 0);
  fill(pageable.data(), other.size(), 0);
  sender.send(pageable.data(), other.size());
  sender.send(other.data(), other.size());
  sender.send(zeros.data(), zeros.size());
  for (const size_t bytes : {64 * kKiB, 64 * kKiB + 8}) {
    char* const guarded = before_a_guard(bytes);
    fill(guarded, bytes, 0);
    sender.send(guarded, bytes);
  }
}

void sends_what_is_left_alone(const Driver& driver) {
  const Sender sender(driver);
  const Session& s = sender.s;
  std::vector<char> pageable(64 * kKiB);
  CUdeviceptr managed = 0, device = 0;
  CHECK_CU(s.cu.cuMemAllocManaged(&managed, pageable.size(), 1));
  CHECK_CU(s.cu.cuMemAlloc_v2(&device, pageable.size()));
  sender.send(pageable.data(), 2 * kKiB);
  sender.send(reinterpret_cast<void*>(managed), pageable.size());
  CHECK_CU(s.cu.cuMemcpyAsync(device, managed, pageable.size(), s.stream));
  CHECK_CU(s.cu.cuMemcpyAsync(device, sender.device, pageable.size(), s.stream));
  CHECK_CU(s.cu.cuMemcpyDtoH_v2(pageable.data(), device, pageable.size()));
  const void* unreadable = mmap(nullptr, kMost, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errno = kErrno;
  if (s.cu.cuMemcpyHtoDAsync_v2(0, unreadable, kMost, s.stream) == kCudaSuccess) fail("the driver took a null address");
  if (s.cu.cuMemcpyHtoDAsync_v2(0, pageable.data(), pageable.size(), s.stream) == kCudaSuccess) fail("the driver did");
  if (errno != kErrno) fail("errno is another one");
  CUgraph graph = nullptr;
  CHECK_CU(s.cu.cuStreamBeginCapture_v2(s.stream, 0));
  sender.send(pageable.data(), pageable.size());
  sender.send(unreadable, kMost);
  CHECK_CU(s.cu.cuStreamEndCapture(s.stream, &graph));
}

void sends_each_step(const Driver& driver) {
  const Sender sender(driver);
  std::vector<char> same(kMost), other(kMost);
  fill(same.data(), same.size(), 0);
  for (char step = 0; step < 40; ++step) {
    fill(other.data(), other.size(), step);
    // A line of its own: these bytes change.
    CHECK_CU(sender.s.cu.cuMemcpyHtoDAsync_v2(sender.device, other.data(), other.size(), sender.s.stream));
    for (int i = 0; i < 4; ++i) sender.send(same.data(), same.size());
    for (int i = 0; i < 5; ++i) sender.s.launch(sender.s.stream);
    CHECK_CU(sender.s.cu.cuStreamSynchronize(sender.s.stream));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void sends_where_reading_is_refused(const Driver& driver) {
  const Sender sender(driver);
  std::vector<char> pageable(64 * kKiB);
  fill(pageable.data(), pageable.size(), 0);
  if (!refuse_reading()) std::printf("no_filter 1\n");
  for (int i = 0; i < 3; ++i) sender.send(pageable.data(), pageable.size());
}

}  // namespace client
