// errno as the real call left it, over work that may set it: for the rare paths of a hook. The others make no system
// call.
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
