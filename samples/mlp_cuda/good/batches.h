// The training set in pinned host memory: a copy of it is a transfer by the copy engine, and the host goes on.
#pragma once

#include <vector>

#include "common/data.h"

namespace good {

std::vector<HostBatch> make_batches(int count, int rows, int width, int classes);
void free_batches(std::vector<HostBatch>& batches);

}  // namespace good
