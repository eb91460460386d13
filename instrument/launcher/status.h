// What the commands end with, and how they say so.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

inline constexpr int kCouldNotDoIt = 2, kGateFailed = 3;

bool wants_colour(int fd);
void complain(const std::string& line);  // on standard error; one line, without "syncsniff: error: "
// Complains of each; true: there are some.
bool is_refused(const std::vector<std::string>& failed_gates);

}  // namespace syncsniff::launcher
