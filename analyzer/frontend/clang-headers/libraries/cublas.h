// cuBLAS; the interface of before CUDA 4 is not declared.
#pragma once

#include "cublas_api.h"
