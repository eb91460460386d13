// The list of all checks, one a line; scripts/new-rule adds to it. branch-on-device has no check of its own: the checks
// that find read-backs report it (branches.h).
#include "analyzer/checks/check.h"

namespace syncsniff::checks {

void alloc_in_loop(const Program&, Reporter&);
void async_timing(const Program&, Reporter&);
void blocking_copy_in_loop(const Program&, Reporter&);
void cold_timing(const Program&, Reporter&);
void copy_not_overlapped(const Program&, Reporter&);
void launch_bound_step(const Program&, Reporter&);
void legacy_stream_serialises(const Program&, Reporter&);
void pageable_async_copy(const Program&, Reporter&);
void pageable_copy_in_loop(const Program&, Reporter&);
void per_tensor_loop(const Program&, Reporter&);
void pinned_in_name_only(const Program&, Reporter&);
void redundant_sync(const Program&, Reporter&);
void scalar_readback(const Program&, Reporter&);
void shared_read_unsynced(const Program&, Reporter&);
void strided_by_thread(const Program&, Reporter&);
void sync_in_loop(const Program&, Reporter&);
void tensor_cores_off(const Program&, Reporter&);
void tensor_to_host(const Program&, Reporter&);
void unfused_elementwise_chain(const Program&, Reporter&);
void unpinned_to_device(const Program&, Reporter&);

const std::vector<CheckEntry>& all_checks() {
  static const std::vector<CheckEntry> kChecks{
      {"alloc-in-loop", alloc_in_loop},
      {"async-timing", async_timing},
      {"blocking-copy-in-loop", blocking_copy_in_loop},
      {"cold-timing", cold_timing},
      {"copy-not-overlapped", copy_not_overlapped},
      {"launch-bound-step", launch_bound_step},
      {"legacy-stream-serialises", legacy_stream_serialises},
      {"pageable-async-copy", pageable_async_copy},
      {"pageable-copy-in-loop", pageable_copy_in_loop},
      {"per-tensor-loop", per_tensor_loop},
      {"pinned-in-name-only", pinned_in_name_only},
      {"redundant-sync", redundant_sync},
      {"scalar-readback", scalar_readback},
      {"shared-read-unsynced", shared_read_unsynced},
      {"strided-by-thread", strided_by_thread},
      {"sync-in-loop", sync_in_loop},
      {"tensor-cores-off", tensor_cores_off},
      {"tensor-to-host", tensor_to_host},
      {"unfused-elementwise-chain", unfused_elementwise_chain},
      {"unpinned-to-device", unpinned_to_device},
  };
  return kChecks;
}

}  // namespace syncsniff::checks
