#include "instrument/launcher/status.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "rules/untrusted_text.h"

namespace syncsniff::launcher {

bool wants_colour(int fd) { return isatty(fd) && std::getenv("NO_COLOR") == nullptr; }

void complain(const std::string& line) { std::cerr << "syncsniff: error: " << printable(line) << '\n'; }

bool is_refused(const std::vector<std::string>& failed_gates) {
  for (const std::string& line : failed_gates) complain(line);
  return !failed_gates.empty();
}

}  // namespace syncsniff::launcher
