// Parses one unit with Clang's host pass and returns its facts. One call a unit; calls on different threads are safe.
#pragma once

#include <string>

#include "analyzer/facts/facts.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// Never throws for bad source: what could not be read is told in errors, error_count and fatal.
// `dependencies`, when given, receives every file that the unit read; `texts` are read in place of those on the disk.
UnitFacts read_unit(const frontend::UnitCommand& command, const std::string& project_root, const ApiTable& apis,
                    std::vector<std::string>* dependencies = nullptr, const SourceTexts& texts = {});

}  // namespace syncsniff::facts
