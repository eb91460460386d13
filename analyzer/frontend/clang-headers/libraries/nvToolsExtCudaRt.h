// The header's place in CUDA 9 and before.
#pragma once

#include "nvtx3/nvToolsExtCudaRt.h"
