// Some daemons and graphical tools start programs without standard streams. The next file that is opened then gets the
// number of one of them, and printed text would go into it.
#pragma once

#include <fcntl.h>

namespace syncsniff {

// Opens /dev/null, for reading only, in place of the streams that are closed: printing then fails, so the loss is
// noticed. A program that we start finds them closed, as we did.
inline void fill_standard_streams() noexcept {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY | O_CLOEXEC);
}

}  // namespace syncsniff
