// What the loops of a program are for, before it is known how often they run. The members are built in order, each from
// those before it and from Linked.
#pragma once

#include <vector>

#include "analyzer/program/evaluations.h"
#include "analyzer/program/linked.h"
#include "analyzer/program/runs.h"
#include "analyzer/program/setup.h"

namespace syncsniff::program {

struct Loops {
  Loops(const Linked& linked, const ElementShare& share, const Words& words);
  Loops(const Loops&) = delete;  // its members refer to each other

  FeedingLoops feeding;
  Epochs epochs;
  Evaluations evaluations;
  Repetitions repetitions;
  Rounds rounds;
  Setup setup;
  Runs runs;
  std::vector<bool> moves_content;  // growing.h
  std::vector<bool> recursive;      // recursion.h
};

}  // namespace syncsniff::program
