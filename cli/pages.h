// The option tables of the driver and of the commands that it carries out itself: --help, man pages and completions.
#pragma once

#include <string>
#include <vector>

#include "manual/command_page.h"

namespace syncsniff::cli {

manual::CommandPage own_page(const std::string& command);

// The driver's page, then one for each command; those of the parts have no usage, since the parts know it.
std::vector<manual::CommandPage> all_pages();

}  // namespace syncsniff::cli
