// Programs are started without standard streams by some daemons and graphical tools. A file that is opened then takes
// the number of one of them, and what is printed goes into it.
#pragma once

#include <fcntl.h>

namespace syncsniff {

// Opens /dev/null in place of those that are closed, for reading alone: what is printed is lost, and known to be. A
// program that we start finds them closed, as we did.
inline void fill_standard_streams() noexcept {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY | O_CLOEXEC);
}

}  // namespace syncsniff
