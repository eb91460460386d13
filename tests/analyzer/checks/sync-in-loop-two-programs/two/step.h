void step(float* x);
