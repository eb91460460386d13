// The training set in ordinary host memory.
#pragma once

#include <vector>

#include "common/data.h"

namespace bad {

std::vector<HostBatch> make_batches(int count, int rows, int width, int classes);
void free_batches(std::vector<HostBatch>& batches);

}  // namespace bad
