// Man pages of the commands.
#pragma once

#include <string>
#include <vector>

#include "manual/command_page.h"

namespace syncsniff::manual {

// One page: that of `page`. `all`: what SEE ALSO and, in the driver's page, COMMANDS name.
std::string man_page(const CommandPage& page, const std::vector<CommandPage>& all, const std::string& version);

// "syncsniff.1", "syncsniff-run.1"
std::string man_name(const CommandPage& page);

}  // namespace syncsniff::manual
