#include "analyzer/program/program.h"

namespace syncsniff::program {

Program::Program(const std::vector<const facts::UnitFacts*>& units, const ApiTable& apis, const Words& words,
                 LeftOver left_over)
    : words_(words),
      linked_(units, apis, left_over.beside_cuda),
      share_(linked_.code, linked_.graph, linked_.effects, linked_.provenance),
      loops_(linked_, share_, words),
      descent_(linked_, loops_, share_, words),
      hotness_(linked_, loops_, descent_, share_, HeatSpread(linked_, loops_, descent_, left_over.beside_feeding),
               left_over.beside_feeding),
      ways_(linked_, loops_, descent_, hotness_) {}

}  // namespace syncsniff::program
