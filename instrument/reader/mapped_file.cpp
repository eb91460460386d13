#include "instrument/reader/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "instrument/reader/trace.h"
#include "rules/regular_file.h"

namespace syncsniff::reader {

MappedFile::MappedFile(const std::string& path) {
  std::string problem;
  const int fd = open_regular_file(path, problem);
  struct stat info{};
  if (fd < 0 || fstat(fd, &info) != 0)
    throw TraceError(path + ": " + problem + "; give the path of a trace that `syncsniff run` wrote");
  size_ = static_cast<size_t>(info.st_size);
  if (size_ != 0) {
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    close(fd);
    if (mapped == MAP_FAILED)
      throw TraceError(path + ": cannot be mapped: " + std::strerror(error) + "; free some memory");
    data_ = static_cast<const char*>(mapped);
  } else {
    close(fd);
    throw TraceError(path + ": empty; record a trace with `syncsniff run`");
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

}  // namespace syncsniff::reader
