// Several buffers with a stream each, used by turns: the host waits for the stream of the buffer that it fills next.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// The wait is for a stream on which this iteration has enqueued nothing before the wait, and another iteration waits
// for another stream: cudaStreamSynchronize(streams[i % 2]) at the top of the loop. While it waits, the GPU works on
// what was enqueued since. Or the iteration has enqueued on another element alone: streams[last], not streams[now].
bool waits_for_other_slot(const Program& program, const Located& where);

// The wait is for a stream that carries only copies to the GPU, and a kernel was enqueued on another stream before it
// in this iteration: the GPU computes while the host waits.
bool waits_for_upload_beside_kernels(const Program& program, const Located& where);

}  // namespace syncsniff::checks
