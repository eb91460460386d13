// For toolkits put together from parts without the profiler's header; last in the search order, so a real one wins.
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
