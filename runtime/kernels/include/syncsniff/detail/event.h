// Owned events and streams, and the two questions asked of them. Only wait_for() waits.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "syncsniff/detail/cuda_error.h"

namespace syncsniff::detail {

// While it lives, this thread may query events and allocate although a stream somewhere is being captured in global
// mode; without it such a call fails and spoils that capture.
class RelaxedCapture {
 public:
  RelaxedCapture() noexcept { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~RelaxedCapture() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// An event without timing, of the device that is current when it is made. Destroying it never waits.
class Event {
 public:
  explicit Event(unsigned extra_flags = 0) {
    throw_on_error(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | extra_flags), "cudaEventCreateWithFlags");
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }
  cudaEvent_t get() const noexcept { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// By default one that neither waits for the legacy default stream nor is waited for by it. Destroying it never waits.
class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    throw_on_error(cudaStreamCreateWithFlags(&stream_, flags), "cudaStreamCreateWithFlags");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  cudaStream_t get() const noexcept { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Whether everything before the event's record is done. Never waits. cudaErrorNotReady does not come out of it, nor
// stay behind in cudaGetLastError(), where the runtime puts it.
inline cudaError_t is_done(const Event& event, bool& done) {
  const RelaxedCapture relaxed;
  const cudaError_t code = cudaEventQuery(event.get());
  done = code == cudaSuccess;
  if (code != cudaErrorNotReady) return code;
  static_cast<void>(cudaGetLastError());
  return cudaSuccess;
}

// Waits for the event, and for nothing after it.
inline cudaError_t wait_for(const Event& event) {
  const RelaxedCapture relaxed;
  return cudaEventSynchronize(event.get());
}

// cudaSuccess if `stream` takes work now, cudaErrorStreamCaptureUnsupported if it is being captured: an event recorded
// then cannot be asked afterwards. The capture goes on unharmed.
inline cudaError_t not_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t code = cudaStreamIsCapturing(stream, &status);
  if (code != cudaSuccess) return code;
  return status == cudaStreamCaptureStatusNone ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

}  // namespace syncsniff::detail
