// Every check, one line each; scripts/new-rule adds to this list.
#include "analyzer/checks/check.h"

namespace syncsniff::checks {

void alloc_in_loop(const Program&, Reporter&);
void blocking_copy_in_loop(const Program&, Reporter&);
void pageable_async_copy(const Program&, Reporter&);
void per_tensor_loop(const Program&, Reporter&);
void pinned_in_name_only(const Program&, Reporter&);
void redundant_sync(const Program&, Reporter&);
void scalar_readback(const Program&, Reporter&);
void sync_in_loop(const Program&, Reporter&);
void tensor_to_host(const Program&, Reporter&);
void unfused_elementwise_chain(const Program&, Reporter&);
void unpinned_to_device(const Program&, Reporter&);

const std::vector<CheckEntry>& all_checks() {
  static const std::vector<CheckEntry> kChecks{
      {"alloc-in-loop", alloc_in_loop},
      {"blocking-copy-in-loop", blocking_copy_in_loop},
      {"pageable-async-copy", pageable_async_copy},
      {"per-tensor-loop", per_tensor_loop},
      {"pinned-in-name-only", pinned_in_name_only},
      {"redundant-sync", redundant_sync},
      {"scalar-readback", scalar_readback},
      {"sync-in-loop", sync_in_loop},
      {"tensor-to-host", tensor_to_host},
      {"unfused-elementwise-chain", unfused_elementwise_chain},
      {"unpinned-to-device", unpinned_to_device},
  };
  return kChecks;
}

}  // namespace syncsniff::checks
