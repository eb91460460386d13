// How often a place runs, seen from the outermost loop that launches GPU work.
#pragma once

#include <string>

#include "analyzer/frequency/rate.h"
#include "analyzer/program/code.h"

namespace syncsniff::program {

struct Heat : frequency::Rate {
  // What makes the place run again and again: a loop, a function that calls itself, or somebody out of sight who calls
  // a function that nobody here calls.
  enum class By : uint8_t { kLoop, kRecursion, kEachCall };
  bool reached = false;
  bool hot = false;
  bool from_main = false;
  bool from_unused = false;                  // from a function that nobody calls
  bool first_use = false;                    // not hot: it makes something that nothing has made before
  const Region* condition = nullptr;         // the outermost that it is behind inside the loop
  bool checks_only = false;                  // its loop does no training, and the program trains elsewhere
  bool of_worker = false;                    // on a thread that the loop waits for
  int worker_loop = -1;                      // of a thread's function: the loop that does so; around it is set-up
  bool beside_trainer = false;               // on a thread that runs a network while another one trains
  bool between_epochs = false;               // in a loop over epochs, outside the loop over its batches
  bool between_runs = false;                 // in a loop around a solver's (runs.h), outside the solver's own
  int depth = 0;                             // calls between the loop and here
  Site caller;                               // the call this heat came through; function -1: none
  Site handed_by;                            // where `caller` calls a parameter: the call that hands this function over
  int loop_function = -1, loop_region = -1;  // of By::kRecursion and By::kEachCall: the function, and region 0
  By by = By::kLoop;
  const std::string* called = nullptr;  // the name of that function

  void run_by(By what, const Code& code, int function);
  // The greater, the more a reader should hear of it: a function keeps the heat of its hottest call.
  long score() const;
};

}  // namespace syncsniff::program
