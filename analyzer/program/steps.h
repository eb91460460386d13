// What LibTorch learns by (epochs.cpp).
#pragma once

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

bool is_optimizer_step(const facts::Event& event);
bool is_backward(const facts::Event& event);

}  // namespace syncsniff::program
