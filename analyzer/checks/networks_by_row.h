// Loops that give a network one row of a tensor after another, where one call could process the whole tensor.
#pragma once

#include "analyzer/checks/check.h"
#include "analyzer/program/element_share.h"

namespace syncsniff::checks {

// Whether the call in the loop is network->forward(states[i]): the same network for each row, which keeps nothing of
// one row for the next. Layers of LibTorch count only inside a network of the program.
bool runs_network_on_row(const Program& program, const ElementShare& share, Site call, int loop);

}  // namespace syncsniff::checks
