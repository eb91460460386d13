// Algorithms of Thrust: whether one runs on the GPU, and whether its policy lets it wait for its stream.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// An execution policy of the device, or iterators of device memory.
bool runs_on_device(const Program& program, const Located& where);

// thrust::copy(thrust::cuda::par.on(stream), ...): whatever the iterators are, the device goes through them.
bool has_device_policy(const Event& algorithm);

// par_nosync: the algorithm returns when its kernels are enqueued.
bool is_asynchronous(const Event& algorithm);

}  // namespace syncsniff::checks
