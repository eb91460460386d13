// Completions of the commands for the shells that people use.
#pragma once

#include <string>
#include <vector>

#include "manual/command_page.h"

namespace syncsniff::manual {

std::string bash_completion(const std::vector<CommandPage>& pages);
std::string zsh_completion(const std::vector<CommandPage>& pages);
std::string fish_completion(const std::vector<CommandPage>& pages);

}  // namespace syncsniff::manual
