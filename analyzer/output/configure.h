// Merges the configuration file and the command line, which takes precedence.
#pragma once

#include <string>

#include "analyzer/output/options.h"
#include "rules/config/config.h"

namespace syncsniff::output {

// Reads .syncsniff.yaml and merges it into `options`: an option given on the command line replaces the file's value.
// The merged configuration is returned, too. Throws ConfigError.
Config configure(Options& options);

// For --dump-config.
std::string config_text_of(const Config& config);

}  // namespace syncsniff::output
