// Joins the configuration file with the command line, which comes first.
#pragma once

#include <string>

#include "analyzer/output/options.h"
#include "rules/config/config.h"

namespace syncsniff::output {

// Reads the file and sets `options` to what both come to, which is returned as well. An option that is given replaces
// the file's value. Throws ConfigError.
Config configure(Options& options);

// For --dump-config.
std::string config_text_of(const Config& config);

}  // namespace syncsniff::output
