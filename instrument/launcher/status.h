// Exit statuses of the commands, and how errors are printed.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

inline constexpr int kCouldNotDoIt = 2, kGateFailed = 3;

bool wants_colour(int fd);
void complain(const std::string& line);  // on standard error; one line, without "syncsniff: error: "
// Complains of each failed gate; returns whether there are any.
bool is_refused(const std::vector<std::string>& failed_gates);

}  // namespace syncsniff::launcher
