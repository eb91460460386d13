// A small generator with the same sequence everywhere (xorshift32, Marsaglia 2003).
#pragma once

class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 2654435761u | 1u) {}

  unsigned next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }

  // Uniform in [-1, 1).
  float symmetric() { return static_cast<float>(next() >> 8) * (2.0f / 16777216.0f) - 1.0f; }

 private:
  unsigned state_;
};
