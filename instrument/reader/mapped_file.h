// A file that is mapped for reading; the destructor unmaps it.
#pragma once

#include <cstddef>
#include <string>

namespace syncsniff::reader {

class MappedFile {
 public:
  // Throws TraceError with the system's reason.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace syncsniff::reader
