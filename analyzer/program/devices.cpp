#include "analyzer/program/devices.h"

#include "analyzer/program/device_search.h"

namespace syncsniff::program {

Devices& Devices::operator|=(const Devices& other) {
  whole = empty() ? other.whole : whole && (other.empty() || other.whole);
  cpu |= other.cpu;
  cuda |= other.cuda;
  unknown |= other.unknown;
  pinned |= other.pinned;
  may_be_pageable |= other.may_be_pageable;
  unnamed |= other.unnamed;
  unseen |= other.unseen;
  return *this;
}

Devices TensorDevices::of(const Value& value, const Reading& at, const Context* context) const {
  DeviceSearch search({code_, flows_, graph_, provenance_, host_read_, prepares_, given_gpu_});
  Devices found = search.of_value(value, at, context);
  if (found.empty()) found.unknown = true;
  return found;
}

}  // namespace syncsniff::program
