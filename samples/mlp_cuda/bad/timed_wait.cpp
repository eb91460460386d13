#include "bad/timed_wait.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace bad {

namespace {

std::vector<const WaitSite*>& sites() {
  static std::vector<const WaitSite*> all;
  return all;
}

}  // namespace

WaitSite::WaitSite(const char* file, int line, const char* call) : file_(file), line_(line), call_(call) {
  sites().push_back(this);
}

void WaitSite::print() const {
  const int name_length = static_cast<int>(std::strcspn(call_, "("));
  std::printf("wait %s:%d %.*s %llu %llu\n", file_, line_, name_length, call_, static_cast<unsigned long long>(count_),
              static_cast<unsigned long long>(total_ns_));
}

void print_wait_table() {
  for (const WaitSite* site : sites()) site->print();
}

}  // namespace bad
