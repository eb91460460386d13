// What the loops of a program do, before anybody asks how often they run: values built in order, each from those before
// it and from what the program is linked of.
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
  Setup setup;
  Runs runs;
  std::vector<bool> moves_content;  // growing.h
  std::vector<bool> recursive;      // recursion.h
};

}  // namespace syncsniff::program
