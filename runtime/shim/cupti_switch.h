// Attaches and detaches CUPTI and opens the windows in which it records. A mutex allows one change at a time: the
// program's own profiler, which starts on another thread, finds a change either done completely or not begun.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"

namespace syncsniff::shim {

bool has_yielded() noexcept;  // another tool wants CUPTI and has it from then on
bool is_attached() noexcept;  // CUPTI is attached for us
bool had_window() noexcept;

// False, with a note for the report, if there is no CUPTI to load.
bool can_load_cupti() noexcept;
// Attaches CUPTI, for windows or for the whole run. Returns false, with a note for the report, if another tool uses
// CUPTI. For windows, the graph gate must stay closed until the window is open.
bool attach() noexcept;
bool attach_for_all() noexcept;
// Detaches CUPTI, with the graph gate closed, unless another tool uses it by now or may_detach() is false. Returns the
// number of records that were written while detaching.
uint64_t detach() noexcept;
// True if CUPTI can be detached: depends on its version, and on what the program has done with graphs.
bool may_detach() noexcept;
// True if graphs may be held while CUPTI is attached or detached, during which CUPTI waits for the device. With several
// devices, a collective on one may wait for its part on another, in a graph that is held: a deadlock. So with several
// devices graphs are not held and CUPTI stays attached.
bool may_hold_graphs() noexcept;
// True if the program uses graphs: then CUPTI records for as long as it is attached. A graph that is launched while
// CUPTI is attached but not recording fails at its next launch after CUPTI was detached.
bool records_until_it_leaves() noexcept;
// False once the program uses graphs. While it does, CUPTI's own thread frees parts of a copy's record twice, whether
// CUPTI is being detached or not, and the program crashes: 8 of some 130 runs of a trainer that replays a graph and
// makes 700 copies a step (CUDA 13.0, H200; each crash was in the record of a copy).
bool records_transfers() noexcept;
// Whether CUPTI makes no record of such work: of a host function, say.
inline bool has_no_record(Enqueues what) noexcept {
  const bool is_transfer = what == Enqueues::kCopyWork || what == Enqueues::kMemset;
  return what == Enqueues::kOtherWork || (is_transfer && !records_transfers());
}

// Lists calls from before the recording of the GPU's work until after it, so that each recorded kernel has its launch.
// `launches`: how many had begun. Returns false, with a note, if CUPTI refuses.
bool open_window(uint64_t launches) noexcept;
void close_window() noexcept;
// To be called during a window when the program has enqueued something. A window that is open at exit ends at that
// time.
void window_has_enqueued() noexcept;
// CUPTI stays attached, and records in windows only.
void stop_recording_for_good() noexcept;
// To be called at exit.
void end_recording() noexcept;
// Registers our handler at exit; once it has run, further runs do nothing. Handlers at exit run latest first. CUPTI
// registers its own when it is loaded and when it is first used: this must be called after each of these, or the flush
// at exit would reach a CUPTI that has ended.
void stop_before_cupti_ends() noexcept;
// Asks CUPTI for what it has recorded so far.
void flush_gpu_side() noexcept;

}  // namespace syncsniff::shim
