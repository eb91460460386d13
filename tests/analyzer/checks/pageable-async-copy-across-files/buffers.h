#pragma once
#include <cstddef>
struct HostBuffer {
  float* data = nullptr;
  size_t size = 0;
};
HostBuffer make_buffer(size_t n);
HostBuffer make_pinned_buffer(size_t n);
void allocate_into(float** out, size_t n);
