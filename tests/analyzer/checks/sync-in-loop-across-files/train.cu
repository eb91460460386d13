#include "engine.h"
#include <cstdio>

int main() {
  Engine engine;
  engine_create(&engine, 1 << 20);
  for (int step = 0; step < 1000; ++step) {
    engine_step(&engine);
  }
  engine_finish(&engine);
  printf("done\n");
}
