// The buffers that CUPTI fills with activity records. It asks for one in the middle of a launch, on the program's
// thread, so some are kept ready: zeroed, with all their pages.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncsniff::shim {

struct ActivityBuffer {
  uint8_t* data = nullptr;
  size_t valid = 0;  // bytes with records
};

// CUPTI's callbacks. A filled buffer is only queued here.
void activity_buffer_requested(uint8_t** buffer, size_t* bytes, size_t* records) noexcept;
void activity_buffer_completed(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid) noexcept;

// Makes buffers until enough are ready. Called by whoever attaches CUPTI, then by our thread.
void keep_activity_buffers_ready() noexcept;
// The next three are for our thread alone.
// Returns a filled buffer; data is nullptr if there is none.
ActivityBuffer take_activity_buffer() noexcept;
void reuse_activity_buffer(ActivityBuffer buffer) noexcept;

// Sleeps until a buffer has come back, wake_activity() is called, or `ns` have passed.
void wait_for_activity(uint64_t ns) noexcept;
void wake_activity() noexcept;

}  // namespace syncsniff::shim
