#pragma once
// A <- B <- C, and nobody shows what B does.
struct Layer {
  virtual void step(float* x) = 0;
};
struct Dense : Layer {
  void step(float* x) override;
};
struct FusedDense : Dense {
  void step(float* x) override;
};
