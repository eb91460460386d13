// Restores errno at the end of a scope, to the value that the real driver call left. Needed only on a hook's rare
// paths, which make system calls.
#pragma once

#include <errno.h>

namespace syncsniff::trace {

class ErrnoKept {
 public:
  ErrnoKept() noexcept : error_(errno) {}
  ~ErrnoKept() { errno = error_; }
  ErrnoKept(const ErrnoKept&) = delete;
  ErrnoKept& operator=(const ErrnoKept&) = delete;

 private:
  const int error_;
};

}  // namespace syncsniff::trace
