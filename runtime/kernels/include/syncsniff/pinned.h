// Page-locked host memory: PinnedAllocator and pinned_vector for what lives as long as the run, PinnedPool for the
// loop.
#pragma once

#include "syncsniff/pinned_allocator.h"
#include "syncsniff/pinned_pool.h"
