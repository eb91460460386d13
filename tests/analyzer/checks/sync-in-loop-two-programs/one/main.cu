// Two programs of one database, each with a step() of its own.
#include "step.h"
int main() {
  for (int i = 0; i < 100; ++i) step(nullptr);
}
