#include "instrument/sampler/remote_memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

namespace syncsniff::sampler {

size_t RemoteMemory::read(const Range* ranges, size_t count, char* to) {
  constexpr size_t kMost = 128;
  iovec remote[kMost]{};
  count = std::min(count, kMost);
  size_t wanted = 0;
  for (size_t i = 0; i < count; ++i) {
    remote[i] = {reinterpret_cast<void*>(ranges[i].address), ranges[i].bytes};
    wanted += ranges[i].bytes;
  }
  const iovec local{to, wanted};
  const ssize_t got = process_vm_readv(pid_, &local, 1, remote, count, 0);
  if (got < 0) error_ = errno;
  size_t whole = 0;
  for (size_t left = got > 0 ? static_cast<size_t>(got) : 0; whole < count && left >= ranges[whole].bytes; ++whole)
    left -= ranges[whole].bytes;
  return whole;
}

void Snapshot::take(RemoteMemory& memory) {
  memory_ = &memory;
  late_ = 0;
  bytes_.resize(kMostPieces * kPieceBytes);
  std::erase_if(pieces_, [](const Piece& piece) { return !piece.used; });
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  ranges_.clear();
  for (size_t i = 0; i < pieces_.size(); ++i) {
    pieces_[i] = {pieces_[i].begin, i * kPieceBytes, false, false};
    if (i != 0 && pieces_[i].begin == pieces_[i - 1].begin + kPieceBytes)
      ranges_.back().bytes += kPieceBytes;
    else
      ranges_.push_back({pieces_[i].begin, kPieceBytes});
  }
  // A range that can no longer be read ends the system call. Its pieces are dropped, and read again when needed.
  size_t at = 0, piece = 0;
  for (size_t first = 0; first < ranges_.size(); ++first) {
    const size_t whole = memory.read(&ranges_[first], ranges_.size() - first, &bytes_[at]);
    for (const size_t end = first + whole; first < end; ++first)
      for (const size_t past = at + ranges_[first].bytes; at < past; at += kPieceBytes) pieces_[piece++].known = true;
    if (first == ranges_.size()) break;
    piece += ranges_[first].bytes / kPieceBytes;
    at += ranges_[first].bytes;
    ++late_;
  }
  std::erase_if(pieces_, [](const Piece& entry) { return !entry.known; });
}

// Where the next piece is stored in bytes_: after the last one that was not dropped.
size_t Snapshot::free_place() const {
  size_t at = 0;
  for (const Piece& piece : pieces_) at = std::max(at, piece.at + kPieceBytes);
  return at;
}

const Snapshot::Piece* Snapshot::piece_at(uint64_t begin) {
  for (Piece& piece : pieces_) {
    if (piece.begin != begin) continue;
    piece.used = piece.known;
    return piece.known ? &piece : nullptr;
  }
  Piece piece{begin, free_place(), false, false};
  if (piece.at == bytes_.size()) return nullptr;
  piece.known = piece.used = memory_->read(begin, &bytes_[piece.at], kPieceBytes);
  pieces_.push_back(piece);
  ++late_;
  return piece.known ? &pieces_.back() : nullptr;
}

bool Snapshot::read(uint64_t address, void* to, size_t bytes) {
  for (char* out = static_cast<char*>(to); bytes != 0;) {
    const uint64_t begin = address / kPieceBytes * kPieceBytes, skipped = address - begin;
    const Piece* const piece = piece_at(begin);
    if (piece == nullptr) return false;
    const size_t now = std::min<size_t>(bytes, kPieceBytes - skipped);
    std::memcpy(out, &bytes_[piece->at + skipped], now);
    out += now;
    address += now;
    bytes -= now;
  }
  return true;
}

}  // namespace syncsniff::sampler
