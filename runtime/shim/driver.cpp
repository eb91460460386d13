#include "runtime/shim/driver.h"

#include <string.h>

#include <atomic>

#include "runtime/shim/recorder.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

constexpr unsigned kAttributeMemoryType = 2, kAttributeIsManaged = 8;
constexpr unsigned kMemoryTypeHost = 1;

using GetInt = int (*)(int*);
using GetAttribute = int (*)(void*, unsigned, uint64_t);

std::atomic<GetInt> g_get_device{nullptr};
std::atomic<GetAttribute> g_get_attribute{nullptr};
std::atomic<int> g_count{1}, g_version{0};

}  // namespace

void resolve_driver() noexcept {
  g_get_device.store(reinterpret_cast<GetInt>(real_driver_symbol("cuCtxGetDevice")));
  g_get_attribute.store(reinterpret_cast<GetAttribute>(real_driver_symbol("cuPointerGetAttribute")));
  int count = 0;
  if (auto get = reinterpret_cast<GetInt>(real_driver_symbol("cuDeviceGetCount")); get != nullptr && get(&count) == 0)
    g_count.store(count);
}

int driver_current_device() noexcept {
  if (g_count.load(std::memory_order_relaxed) == 1) return 0;
  const GetInt get = g_get_device.load();
  int device = -1;
  return get != nullptr && get(&device) == 0 ? device : -1;
}

int driver_device_count() noexcept { return g_count.load(std::memory_order_relaxed); }

int driver_version() noexcept {
  int version = g_version.load(std::memory_order_relaxed);
  if (version != 0) return version;
  const auto get = reinterpret_cast<GetInt>(real_driver_symbol("cuDriverGetVersion"));
  if (get != nullptr && get(&version) == 0) g_version.store(version);
  return version;
}

// Values of CU_DEVICE_ATTRIBUTE_... in cuda.h.
enum DeviceAttribute : int {
  kClockRate = 13,
  kMultiprocessorCount = 16,
  kPciBusId = 33,
  kPciDeviceId = 34,
  kMemoryClockRate = 36,
  kGlobalMemoryBusWidth = 37,
  kPciDomainId = 50,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
};

void write_devices(ThreadState& thread) noexcept {
  using GetHandle = int (*)(int* device, int ordinal);
  using GetName = int (*)(char* name, int bytes, int device);
  using GetDeviceAttribute = int (*)(int* value, int attribute, int device);
  const auto handle_of = reinterpret_cast<GetHandle>(real_driver_symbol("cuDeviceGet"));
  const auto get_name = reinterpret_cast<GetName>(real_driver_symbol("cuDeviceGetName"));
  const auto get = reinterpret_cast<GetDeviceAttribute>(real_driver_symbol("cuDeviceGetAttribute"));
  if (handle_of == nullptr || get_name == nullptr || get == nullptr) return;
  for (int ordinal = 0; ordinal < driver_device_count(); ++ordinal) {
    int device = 0;
    char name[128] = {};
    if (handle_of(&device, ordinal) != 0 || get_name(name, sizeof(name) - 1, device) != 0) continue;
    const auto attribute = [&](int which) {
      int value = 0;
      return get(&value, which, device) == 0 && value > 0 ? static_cast<uint32_t>(value) : 0u;
    };
    trace::DeviceRecord record{};
    record.type = static_cast<uint16_t>(trace::RecordType::kDevice);
    record.device = static_cast<uint32_t>(ordinal);
    record.name = intern_string(thread, name, strnlen(name, sizeof(name)));
    record.multiprocessors = attribute(kMultiprocessorCount);
    record.clock_khz = attribute(kClockRate);
    record.memory_clock_khz = attribute(kMemoryClockRate);
    record.memory_bus_bits = attribute(kGlobalMemoryBusWidth);
    record.major = static_cast<uint16_t>(attribute(kComputeCapabilityMajor));
    record.minor = static_cast<uint16_t>(attribute(kComputeCapabilityMinor));
    record.pci_bus = attribute(kPciBusId);
    record.pci_device = attribute(kPciDeviceId);
    record.pci_domain = attribute(kPciDomainId);
    thread.writer.append(record);
  }
}

PointerKind driver_pointer_kind(uint64_t address) noexcept {
  const trace::ErrnoKept errno_kept;
  const GetAttribute get = g_get_attribute.load();
  if (get == nullptr) return PointerKind::kUnknown;
  unsigned type = 0, managed = 0;
  if (get(&type, kAttributeMemoryType, address) != 0) return PointerKind::kUnregistered;
  if (get(&managed, kAttributeIsManaged, address) == 0 && managed != 0) return PointerKind::kManaged;
  return type == kMemoryTypeHost ? PointerKind::kHost : PointerKind::kDevice;
}

}  // namespace syncsniff::shim
