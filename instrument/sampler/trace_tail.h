// Reads a trace while its process writes it: the native stacks and objects that it has so far. Uses pread and no
// mapping: if somebody truncates the file, a read fails, instead of crashing this process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrument/sampler/objects.h"
#include "runtime/trace/format.h"

namespace syncsniff::sampler {

class TraceTail : public Objects {
 public:
  explicit TraceTail(const std::string& path);
  ~TraceTail() override;
  TraceTail(const TraceTail&) = delete;
  TraceTail& operator=(const TraceTail&) = delete;

  void close();  // data that was read stays available
  // Returns false if the file is no trace, or not yet.
  bool read_header(trace::FileHeader& header) const;
  uint64_t window_turn() const;  // 0 if it cannot be read
  // Sleeps until window_turn() differs from `turn`, wake_waiter() is called, or `at_most_ns` have passed. Returns false
  // if it cannot wait.
  bool wait_for_turn(uint64_t turn, uint64_t at_most_ns) const;
  void wake_waiter() const;
  // The return addresses of a stack, innermost first; nullptr: the trace does not have it yet.
  const std::vector<uint64_t>* stack(uint32_t id);
  // Searches the objects that the trace has so far.
  uint64_t module_of(uint64_t address) const override;

 private:
  struct Chunk {
    uint32_t tid = 0, read_bytes = 0;
    bool is_done = false;
  };
  void read_on();
  void read_chunk(uint32_t index);
  void take_records(const std::vector<char>& records);

  int file_;
  void* futex_ = nullptr;  // a mapping of the header that only the kernel reads, for the futex; nullptr: none
  std::vector<Chunk> chunks_;
  std::unordered_map<uint32_t, uint32_t> latest_;  // tid -> index of its latest chunk
  std::unordered_map<uint32_t, std::vector<uint64_t>> stacks_;
  std::map<uint64_t, uint64_t> modules_;  // begin -> end
  uint64_t read_ns_ = 0;
};

}  // namespace syncsniff::sampler
