// Recognises buffers that have a stream each and are used in turn: the host waits for the stream of the buffer that it
// fills next.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the wait is for a stream on which this iteration has not yet enqueued anything, while other iterations wait
// for other streams: cudaStreamSynchronize(streams[i % 2]) at the top of the loop. During the wait the GPU works on
// what was enqueued since. Also true if this iteration enqueued only on another element: streams[now] while it waits
// for streams[last].
bool waits_for_other_slot(const Program& program, const Located& where);

// Whether the wait is for a stream that carries only copies to the GPU, and this iteration has enqueued a kernel on
// another stream before it: the GPU computes while the host waits.
bool waits_for_upload_beside_kernels(const Program& program, const Located& where);

}  // namespace syncsniff::checks
