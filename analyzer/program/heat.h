// How often a place runs, compared with the iterations of the outermost loop that launches GPU work around it.
#pragma once

#include <string>

#include "analyzer/frequency/rate.h"
#include "analyzer/program/code.h"

namespace syncsniff::program {

struct Heat : frequency::Rate {
  // What makes the place run repeatedly: a loop, a function that calls itself, or code of unknown source that calls a
  // function which nothing in the program calls.
  enum class By : uint8_t { kLoop, kRecursion, kEachCall };
  bool reached = false;
  bool hot = false;
  bool from_main = false;
  bool from_unused = false;           // reached from a function that nobody calls
  bool first_use = false;             // not hot: it runs once, to create something that does not exist yet
  const Region* condition = nullptr;  // the outermost condition around the place inside the loop; nullptr: none
  bool checks_only = false;           // its loop does not train, and the program trains elsewhere
  bool of_worker = false;             // on a thread that the hot loop waits for
  // If of_worker: the loop in the thread's function that does the work; code outside it is set-up.
  int worker_loop = -1;
  bool beside_trainer = false;  // on a thread that runs a network while another thread trains
  bool between_epochs = false;  // in a loop over epochs, outside the loop over the batches
  bool between_runs = false;    // in a loop around a solver's loop (runs.h), outside the solver's loop
  int depth = 0;                // number of calls between the loop and the place
  Site caller;                  // the call through which this heat came; function -1: none
  Site handed_by;               // if `caller` calls a parameter: the call that passes this function as argument
  int loop_function = -1, loop_region = -1;  // for By::kRecursion and By::kEachCall: the function, and region 0
  By by = By::kLoop;
  const std::string* called = nullptr;  // the name of that function

  void run_by(By what, const Code& code, int function);
  // A rank for reports: a function keeps the heat of the call with the greatest score.
  long score() const;
};

}  // namespace syncsniff::program
