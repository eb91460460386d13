// Attaches and detaches CUPTI and opens the windows in which it records, one change at a time: the program's own
// profiler, which comes on a thread of its own, finds either all of it or nothing.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

bool has_yielded() noexcept;  // somebody else wants CUPTI; it is theirs for good
bool is_attached() noexcept;  // CUPTI is in the process for us
bool had_window() noexcept;

// False, with a note for the report: there is no CUPTI to load.
bool can_come() noexcept;
// Attaches CUPTI, for windows or for the whole run. Returns false, and leaves a note for the report, where another
// tool uses CUPTI. For windows the graph gate stays closed until the window is open.
bool attach() noexcept;
bool attach_for_all() noexcept;
// Detaches CUPTI, under the closed graph gate, unless another tool uses it by now or may_leave() is false. Returns how
// many records were written while detaching.
uint64_t detach() noexcept;
// Whether it can leave: by its version, and by what the program has done with graphs.
bool may_leave() noexcept;
// CUPTI waits for the device when it comes and when it leaves. On several devices, a collective that runs on one may
// wait for its part on another, in a graph that is held: neither would go on. There, graphs are not held and CUPTI
// stays.
bool may_hold_graphs() noexcept;
// A graph that is launched while CUPTI is in the process and does not record fails at its next launch after CUPTI has
// left. So where graphs are used, CUPTI records for as long as it stays.
bool records_until_it_leaves() noexcept;

// Calls are listed before the GPU's side is recorded and until after it: each recorded kernel has its launch.
// `launches`: so many had begun. False, with a note: CUPTI refused.
bool open_window(uint64_t launches) noexcept;
void close_window() noexcept;
// To be called while it is open: the program has enqueued something. One that is open at exit ends with that.
void window_has_enqueued() noexcept;
// It stays, and records in windows alone.
void stop_recording_for_good() noexcept;
// At exit.
void end_recording() noexcept;
// Handlers at exit run latest first. CUPTI registers its own when it is loaded and when it is first used: each time
// ours must come after, or the flush at exit would reach a CUPTI that has ended. A second call of it does nothing.
void stop_before_cupti_ends() noexcept;
// Asks for what CUPTI has recorded so far.
void flush_gpu_side() noexcept;

}  // namespace syncsniff::shim
