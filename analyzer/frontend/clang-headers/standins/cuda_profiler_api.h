// For toolkits that were assembled from parts without the profiler's header. Searched last, so a real one is preferred.
#pragma once

#include <driver_types.h>

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif
