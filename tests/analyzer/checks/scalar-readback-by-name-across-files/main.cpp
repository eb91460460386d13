#include "table.h"

int main() {
  float* x = nullptr;
  float sum = 0;
  for (int step = 0; step < 1000; ++step) {
    sum += Table::instance().get("scale")(x, 1000);
    const Operation norm = Table::instance().get("norm");
    sum += norm(x, 1000);
  }
  sum += Table::instance().get("check")(x, 1000);
  return sum > 0;
}
