// Algorithms of Thrust: whether one runs on the GPU, and whether its policy lets it wait for its stream.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the algorithm gets a device execution policy or iterators of device memory.
bool runs_on_device(const Program& program, const Located& where);

// Whether the call names a device policy, as thrust::copy(thrust::cuda::par.on(stream), ...) does. The algorithm then
// runs on the device, whatever its iterators are.
bool has_device_policy(const Event& algorithm);

// Whether the policy is par_nosync: the algorithm then returns as soon as its kernels are enqueued.
bool is_asynchronous(const Event& algorithm);

}  // namespace syncsniff::checks
