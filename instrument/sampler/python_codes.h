// Python's code objects: their names, files and line tables, each read once.
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

// Numbers code objects by content: code of a module that several processes have loaded has one number.
class PythonCodeTable {
 public:
  // Returns a number from 1 on; 0: the table is full.
  uint32_t number_of(PythonCode code, int64_t units);
  // Size of this code's instructions.
  uint64_t instruction_bytes(uint32_t number) const { return bytes_[number - 1]; }
  const std::vector<PythonCode>& all() const { return codes_; }

 private:
  std::unordered_map<std::string, uint32_t> by_identity_;
  std::vector<PythonCode> codes_;
  std::vector<uint64_t> bytes_;
};

// The code objects of one process.
class PythonCodes {
 public:
  PythonCodes(RemoteMemory& memory, const trace::Board& board, PythonCodeTable& table)
      : memory_(memory), board_(board), table_(table) {}
  // The code object's number in the table; 0: there is no code object at this address, or it cannot be read.
  uint32_t number_of(Snapshot& snapshot, uint64_t code);
  uint64_t instruction_bytes(uint32_t number) const { return table_.instruction_bytes(number); }

 private:
  // The words at a code object's address; if other code is there, its texts have other addresses.
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
  PythonCodeTable& table_;
  std::unordered_map<uint64_t, Known> at_;  // by address
};

}  // namespace syncsniff::sampler
