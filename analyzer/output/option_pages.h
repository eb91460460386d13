// The options of `check` and `fix` as data, for the build: man pages and completions are made from them.
#pragma once

#include <vector>

#include "manual/command_page.h"

namespace CLI {
class App;
}

namespace syncsniff::output {

// A page for each subcommand.
std::vector<manual::CommandPage> pages_of(const CLI::App& app);

}  // namespace syncsniff::output
