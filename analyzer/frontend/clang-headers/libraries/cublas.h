// cuBLAS; the interface from before CUDA 4 is not declared.
#pragma once

#include "cublas_api.h"
