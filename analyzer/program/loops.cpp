#include "analyzer/program/loops.h"

#include "analyzer/program/growing.h"
#include "analyzer/program/recursion.h"

namespace syncsniff::program {

Loops::Loops(const Linked& l, const ElementShare& share, const Words& words)
    : feeding(l.code, l.effects),
      epochs(l.code, l.graph, l.effects, feeding, words),
      evaluations(l.code, l.graph, feeding),
      repetitions(l.code, l.graph, l.effects, l.learning, l.callbacks, share),
      rounds(l.code, l.flows, l.graph, l.effects, feeding),
      setup(l.code, l.flows, l.graph, l.effects, feeding, epochs, repetitions, rounds, l.tasks),
      runs(l.code, l.graph, feeding, epochs),
      moves_content(functions_that_move_content(l.code, l.effects)),
      recursive(recursive_functions(l.code, l.graph, l.effects)) {}

}  // namespace syncsniff::program
