// The header where CUDA 9 and before had it.
#pragma once

#include "nvtx3/nvToolsExt.h"
