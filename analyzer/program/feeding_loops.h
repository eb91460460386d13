// Which regions launch GPU work. A loop that does counts as a training loop, unless other evidence says otherwise.
#pragma once

#include <functional>
#include <vector>

#include "analyzer/program/effects.h"

namespace syncsniff::program {

class FeedingLoops {
 public:
  FeedingLoops(const Code& code, const EffectTable& effects);

  bool launches(int function, int region) const { return launches_[function][region]; }
  bool is_feeding_loop(int function, int region) const {
    return code_.function(function).regions[region].kind == Region::Kind::kLoop && launches(function, region);
  }
  // Whether the test returns true for some loop that launches GPU work.
  bool any(const std::function<bool(int function, int region)>& test) const;

 private:
  const Code& code_;
  std::vector<std::vector<bool>> launches_;
};

}  // namespace syncsniff::program
