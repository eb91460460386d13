#include "runtime/shim/copies.h"

#include <cstring>

#include "runtime/shim/driver.h"
#include "runtime/shim/driver_layouts.h"
#include "runtime/shim/memory_ranges.h"
#include "runtime/shim/streams.h"

namespace syncsniff::shim {
namespace {

using trace::HostMemory;

// Pageable copies to the device of at most this many bytes are staged and return early (measured).
constexpr uint64_t kStagedBytes = 64 * 1024;

constexpr uint32_t kTypeHost = 1, kTypeDevice = 2, kTypeArray = 3;

template <class T>
T at(uint64_t base, unsigned offset) noexcept {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(base) + offset, sizeof(T));
  return value;
}

// For an unknown address the driver is queried once; the result holds for the whole page until an allocation changes
// it.
struct KnownPage {
  uint64_t number;
  HostMemory kind;
};
[[gnu::tls_model("initial-exec")]] thread_local KnownPage t_known_pages[32];

[[gnu::noinline]] HostMemory kind_of_any(uint64_t address) noexcept {
  const HostMemory known = find_range(address);
  if (known != HostMemory::kUnknown || address == 0) return known;
  KnownPage& page = t_known_pages[(address >> 12) % 32];
  if (page.number == (address >> 12)) return page.kind;
  if (any_capture()) return HostMemory::kUnknown;
  page.number = address >> 12;
  switch (driver_pointer_kind(address)) {
    case PointerKind::kUnregistered:
      return page.kind = HostMemory::kPageable;
    case PointerKind::kHost:
      return page.kind = HostMemory::kPinned;
    case PointerKind::kDevice:
      return page.kind = HostMemory::kDevice;
    case PointerKind::kManaged:
      return page.kind = HostMemory::kManaged;
    case PointerKind::kUnknown:
      break;
  }
  return page.kind = HostMemory::kUnknown;
}

// Kind of the memory on the host side of a copy whose name gives the direction: memory that nobody pinned is pageable.
HostMemory kind_of_host(uint64_t address) noexcept {
  const HostMemory known = find_range(address);
  return known == HostMemory::kUnknown ? HostMemory::kPageable : known;
}

HostMemory kind_in_descriptor(uint64_t descriptor, uint32_t type, unsigned host, unsigned device) noexcept {
  if (type == kTypeHost) return kind_of_host(at<uint64_t>(descriptor, host));
  if (type == kTypeArray) return HostMemory::kArray;
  const auto address = at<uint64_t>(descriptor, device);
  return type == kTypeDevice ? HostMemory::kDevice : kind_of_any(address);
}

[[gnu::cold, gnu::noinline]] void read_descriptor(const ApiInfo& info, uint64_t descriptor, CopyShape& shape) noexcept {
  const char* form = info.name + sizeof("cuMemcpy") - 1;  // "2D...", "3D...", "BatchAsync", "3DBatchAsync"
  if (descriptor == 0 || std::strstr(form, "Batch") != nullptr) return;
  const CopyLayout& layout = form[0] == '2' ? kCopy2DLayout : kCopy3DLayout;
  shape.src =
      kind_in_descriptor(descriptor, at<uint32_t>(descriptor, layout.src_type), layout.src_host, layout.src_device);
  shape.dst =
      kind_in_descriptor(descriptor, at<uint32_t>(descriptor, layout.dst_type), layout.dst_host, layout.dst_device);
  shape.bytes = at<uint64_t>(descriptor, layout.width) * at<uint64_t>(descriptor, layout.height);
  if (layout.depth != 0) shape.bytes *= at<uint64_t>(descriptor, layout.depth);
}

bool on_host(HostMemory kind) noexcept { return kind == HostMemory::kPageable || kind == HostMemory::kPinned; }

void decide_wait(const ApiInfo& info, CopyShape& shape) noexcept {
  const bool to_host = on_host(shape.dst), from_host = on_host(shape.src);
  const bool pageable = shape.dst == HostMemory::kPageable || shape.src == HostMemory::kPageable;
  if (info.blocks == Blocks::kAlways) {
    // If the function's name gives the direction, it always waits; if the pointers do, it waits if one side is on the
    // host.
    shape.blocks = info.direction != Direction::kByPointers || to_host || from_host;
    shape.covers_self = shape.blocks && (to_host || (from_host && !pageable));
  } else if (info.blocks == Blocks::kPageable && pageable) {
    shape.blocks = to_host || shape.bytes > kStagedBytes;
    shape.covers_self = to_host;
  }
}

}  // namespace

bool is_plain_host(uint64_t address) noexcept { return on_host(kind_of_any(address)); }

CopyShape shape_of_copy(const ApiInfo& info, const uint64_t* words) noexcept {
  CopyShape shape;
  const uint64_t dst = info.dst_arg >= 0 ? words[info.dst_arg] : 0, src = info.src_arg >= 0 ? words[info.src_arg] : 0;
  if (info.bytes_arg >= 0) shape.bytes = words[info.bytes_arg];
  switch (info.direction) {
    case Direction::kNoCopy:
      return shape;
    case Direction::kHostToDevice:
      shape.src = kind_of_host(src);
      shape.dst = HostMemory::kDevice;
      break;
    case Direction::kDeviceToHost:
      shape.src = HostMemory::kDevice;
      shape.dst = kind_of_host(dst);
      break;
    case Direction::kDeviceToDevice:
      shape.src = shape.dst = HostMemory::kDevice;
      break;
    case Direction::kByPointers:
      if (info.descriptor_arg >= 0) {
        read_descriptor(info, words[info.descriptor_arg], shape);
      } else {
        shape.src = kind_of_any(src);
        shape.dst = kind_of_any(dst);
      }
      break;
  }
  decide_wait(info, shape);
  return shape;
}

}  // namespace syncsniff::shim
