// Code objects of the watched interpreter: their names, files and line tables, read once each.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrument/sampler/remote_memory.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

struct PythonCode {
  std::string file, name, line_table;
  int32_t first_line = 0;
};

class PythonCodes {
 public:
  PythonCodes(RemoteMemory& memory, const trace::Board& board) : memory_(memory), board_(board) {}
  // Its number in all(), from 1; 0: what lies there is no code object, or cannot be read.
  uint32_t number_of(Snapshot& snapshot, uint64_t code);
  // Of the code that has this number.
  uint64_t instruction_bytes(uint32_t number) const { return bytes_[number - 1]; }
  const std::vector<PythonCode>& all() const { return codes_; }

 private:
  // What lies at a code object's address; other code at the same one has other texts, and those other addresses.
  struct Header {
    uint64_t type = 0, file = 0, name = 0, line_table = 0;
    int64_t units = 0;
    int32_t first_line = 0;
    bool operator==(const Header&) const = default;
  };
  struct Known {
    Header header;
    uint32_t number = 0;
  };
  bool read_header(Snapshot& snapshot, uint64_t code, Header& header) const;
  uint32_t read_code(const Header& header);
  bool read_text(uint64_t object, std::string& text);
  bool read_bytes(uint64_t object, std::string& bytes);

  RemoteMemory& memory_;
  const trace::Board& board_;
  std::unordered_map<uint64_t, Known> at_;  // by address
  std::unordered_map<std::string, uint32_t> by_identity_;
  std::vector<PythonCode> codes_;
  std::vector<uint64_t> bytes_;
};

}  // namespace syncsniff::sampler
