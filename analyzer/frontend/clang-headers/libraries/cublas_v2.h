// cuBLAS, current interface.
#pragma once

#include "cublas_api.h"
