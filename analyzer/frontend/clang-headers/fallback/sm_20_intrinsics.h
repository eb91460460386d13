// The declarations are all in cuda_runtime.h and in what is force-included.
#pragma once

#include "cuda_runtime.h"
