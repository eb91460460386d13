// What usually stands behind an error of stream capture, in a sentence for the person who reads it.
#pragma once

#include <cuda_runtime_api.h>

namespace syncsniff::detail {

inline const char* capture_hint(cudaError_t code) {
  switch (code) {
    case cudaErrorStreamCaptureUnsupported:
      return "the step made a call that cannot be recorded: a wait or query (cudaDeviceSynchronize, "
             "cudaStreamSynchronize, cudaEventQuery), cudaMalloc or cudaFree, cudaMemcpy, or an enqueue() of "
             "DeferredScalar; take it out of the step";
    case cudaErrorStreamCaptureInvalidated:
      return "a call in the step spoiled the capture: a wait or query, cudaMalloc or cudaFree, cudaMemcpy, or a copy "
             "from pageable memory; take it out of the step";
    case cudaErrorStreamCaptureImplicit:
      return "the step used the legacy default stream; give every launch, copy and library handle the stream that the "
             "step is called with";
    case cudaErrorStreamCaptureUnjoined:
    case cudaErrorStreamCaptureUnmatched:
      return "the step sent work to another stream and did not join it again (cudaEventRecord there, "
             "cudaStreamWaitEvent on the step's stream)";
    case cudaErrorStreamCaptureIsolation:
    case cudaErrorStreamCaptureMerge:
      return "the step waits for an event that was recorded outside it, or joins two captures";
    case cudaErrorCapturedEvent:
      return "an event that was recorded in the step was queried or waited for by the host";
    case cudaErrorStreamCaptureWrongThread:
      return "the step did CUDA work on another thread";
    default:
      return "the step's own call failed";
  }
}

}  // namespace syncsniff::detail
