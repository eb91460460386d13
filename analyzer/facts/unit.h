// Parses one unit with Clang's host pass and returns its facts. One call per unit; calls on different threads are safe.
#pragma once

#include <optional>
#include <string>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/preamble.h"
#include "analyzer/facts/unit_inputs.h"
#include "analyzer/frontend/command.h"
#include "analyzer/source_texts.h"

namespace syncsniff::facts {

// Never throws for bad source: what could not be read is in errors, error_count and fatal.
// `inputs`, if given, receives what the facts depend on; `texts` are read in place of files on disk.
UnitFacts read_unit(const frontend::UnitCommand& command, const std::string& project_root, const ApiTable& apis,
                    UnitInputs* inputs = nullptr, const SourceTexts& texts = {});

// The same facts, but parsed from the end of the preamble on; `inputs` are without those of the preamble. Nothing if
// the unit turns out not to begin with the preamble.
std::optional<UnitFacts> read_unit_after(const PreambleUse& preamble, const frontend::UnitCommand& command,
                                         const std::string& project_root, const ApiTable& apis, UnitInputs& inputs,
                                         const SourceTexts& texts = {});

}  // namespace syncsniff::facts
