// Finds the programs that do the work, relative to the driver's own location, and replaces the driver's process with
// them (exec).
#pragma once

#include <string>
#include <vector>

namespace syncsniff::cli {

struct Command {
  const char* name;
  const char* part;          // program; nullptr: the driver itself
  const char* build_option;  // CMake option that builds the part
  const char* help;
};

const std::vector<Command>& commands();
const Command* find_command(const std::string& name);

// The command whose name is nearest, "" when none is near.
std::string nearest_command(const std::string& name);

// Full path of a part; "" when it is not there.
std::string find_part(const std::string& part);

// Returns only when the program could not be started: errno then says why.
void become(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace syncsniff::cli
