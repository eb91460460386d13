#include "runtime/shim/sent.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "runtime/shim/copies.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

constexpr uint64_t kLeastBytes = 4096;  // for smaller copies, the call costs more than the bytes
constexpr unsigned kPieces = 16, kPieceWords = 8, kPieceBytes = kPieceWords * sizeof(uint64_t);
static_assert(kLeastBytes / kPieces >= kPieceBytes + sizeof(uint64_t));
constexpr uint16_t kComparedWords = kPieces * (kPieceWords - 1);

std::atomic<bool> g_is_refused{false};
std::atomic<uint64_t> g_salt{0};

// Differs in each process and is written nowhere, so that nobody can guess the bytes by trying out hashes in the trace.
uint64_t salt() noexcept {
  uint64_t known = g_salt.load(std::memory_order_relaxed);
  if (known != 0) return known;
  uint64_t fresh = 0;
  if (getrandom(&fresh, sizeof(fresh), GRND_NONBLOCK) != static_cast<ssize_t>(sizeof(fresh)))
    fresh = trace::monotonic_ns();
  fresh |= 1;
  return g_salt.compare_exchange_strong(known, fresh) ? fresh : known;  // another thread may have set it first
}

// Offset of a piece: one in each sixteenth of the bytes, at a position that is random but the same for all copies of
// that length. If rows are a power of two long, evenly spaced pieces would all be in the same columns.
uint64_t offset_of(unsigned piece, uint64_t bytes) noexcept {
  const uint64_t part = bytes / kPieces, room = (part - kPieceBytes) / sizeof(uint64_t);
  return part * piece + (mix(piece + 1, part) >> 32) % room * sizeof(uint64_t);
}

// Lets the kernel read the pieces: if the address cannot be read (it is a device's, or another thread has just unmapped
// it), the system call fails, where a load of our own would end the program. One system call: 7 us, where the shortest
// one takes 1.3.
bool read_pieces(uint64_t address, uint64_t bytes, uint64_t (&to)[kPieces * kPieceWords]) noexcept {
  iovec pieces[kPieces];
  for (unsigned i = 0; i < kPieces; ++i)
    pieces[i] = {reinterpret_cast<void*>(address + offset_of(i, bytes)), kPieceBytes};
  const iovec local{to, sizeof(to)};
  return process_vm_readv(getpid(), &local, 1, pieces, kPieces, 0) == static_cast<ssize_t>(sizeof(to));
}

void tell_refusal(ThreadState& thread) noexcept {
  if ((errno != EPERM && errno != ENOSYS) || g_is_refused.exchange(true)) return;
  write_note(thread,
             "whether copies send the same bytes again is not known: the system refuses process_vm_readv (seccomp)");
}

}  // namespace

void sample_sent(Sent& sent, ThreadState& thread, const ApiInfo& info, const CopyShape& shape,
                 const uint64_t* words) noexcept {
  const bool is_linear = info.src_arg >= 0 && info.bytes_arg >= 0;  // otherwise it copies rows
  if (shape.dst != trace::HostMemory::kDevice || !is_linear || shape.bytes < kLeastBytes) return;
  const trace::ErrnoKept errno_kept;
  // Reading a page of managed memory that is on the device would move it to the host. While a stream is capturing, the
  // driver must not be queried for the kind of memory.
  if (any_capture() || g_is_refused.load(std::memory_order_relaxed) || !is_plain_host(words[info.src_arg])) return;
  uint64_t taken[kPieces * kPieceWords];
  if (!read_pieces(words[info.src_arg], shape.bytes, taken)) return tell_refusal(thread);
  sent.address = words[info.src_arg];
  sent.bytes = shape.bytes;
  sent.hash = salt();
  sent.varied = 0;
  for (unsigned i = 0; i < kPieces * kPieceWords; ++i) {
    sent.hash = mix(sent.hash, taken[i] ^ salt());
    if (i % kPieceWords != 0 && taken[i] != taken[i - 1]) ++sent.varied;
  }
  sent.sampled = true;
}

void write_sent(const Sent& sent, ThreadState& thread, uint64_t begin_ns) noexcept {
  trace::SentRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kSent);
  record.varied = sent.varied;
  record.compared = kComparedWords;
  record.begin_ns = begin_ns;
  record.address = sent.address;
  record.bytes = sent.bytes;
  record.hash = sent.hash;
  thread.writer.append(record);
}

}  // namespace syncsniff::shim
