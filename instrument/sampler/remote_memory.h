// Reads the memory of another process with process_vm_readv: the process is not stopped, signalled or written to. Every
// address may be wrong and every read may fail.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace syncsniff::sampler {

struct Range {
  uint64_t address;
  size_t bytes;
};

class RemoteMemory {
 public:
  explicit RemoteMemory(pid_t pid) : pid_(pid) {}
  // One system call. Reads the ranges one after the other into `to`, and returns how many were read completely, from
  // the first.
  size_t read(const Range* ranges, size_t count, char* to);
  bool read(uint64_t address, void* to, size_t bytes) {
    const Range range{address, bytes};
    return read(&range, 1, static_cast<char*>(to)) == 1;
  }
  int error() const { return error_; }  // errno of the last read that failed; 0: none failed

 private:
  pid_t pid_;
  int error_ = 0;
};

// Pieces of that memory as they were at one moment: the pieces that a thread's last sample needed are read in one call
// for the next one, so that they are consistent. Further pieces are read on demand.
class Snapshot {
 public:
  void take(RemoteMemory& memory);
  // Copies `bytes` at `address`; false: they cannot be read, or there are too many.
  bool read(uint64_t address, void* to, size_t bytes);
  template <class T>
  bool load(uint64_t address, T& value) {
    return read(address, &value, sizeof value);
  }
  bool is_of_one_moment() const { return late_ == 0; }

 private:
  // With larger pieces more bytes are copied in vain, with smaller ones a call has more entries: an entry costs 0.5 us,
  // a page 1.
  static constexpr size_t kPieceBytes = 1024, kMostPieces = 512;
  struct Piece {
    uint64_t begin;
    size_t at;  // in bytes_
    bool known, used;
  };
  const Piece* piece_at(uint64_t begin);
  size_t free_place() const;

  RemoteMemory* memory_ = nullptr;
  std::vector<Piece> pieces_;
  std::vector<char> bytes_;
  std::vector<Range> ranges_;
  size_t late_ = 0;
};

}  // namespace syncsniff::sampler
