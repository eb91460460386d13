// The options of `check` and `fix` as data; the build makes man pages and completions from them.
#pragma once

#include <vector>

#include "manual/command_page.h"

namespace CLI {
class App;
}

namespace syncsniff::output {

// One page per subcommand.
std::vector<manual::CommandPage> pages_of(const CLI::App& app);

}  // namespace syncsniff::output
