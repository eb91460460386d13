// What a function's name says of how often, and in earnest, it runs: benchmarks, validation, saving.
#pragma once

#include <string>

#include "analyzer/program/program.h"

namespace syncsniff::program {

// Lowers or drops the heat of everything inside a function of this name.
void pass_name(Heat& heat, const std::string& name);

// `train`, `training`, `fit` in a function's name.
bool trains_by_name(const std::string& name);

}  // namespace syncsniff::program
