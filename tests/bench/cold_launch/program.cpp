#include "tests/bench/cold_launch/program.h"

#include <array>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace cold_launch {
namespace {

// 1.1 MB of code, of which an operator runs some 25 functions that few others do, and as many that all do.
constexpr unsigned kFunctions = 2048, kCommon = 100, kOfOperator = 55, kOfDriver = 18;
constexpr size_t kWords = size_t{1} << 19;  // 4 MiB

using Function = uint64_t (*)(uint64_t);
uint64_t g_data[kWords];
volatile uint64_t g_state = 1;

constexpr uint64_t scrambled(uint64_t x) noexcept {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
  return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull ^ x >> 32;
}

template <unsigned N>
[[gnu::always_inline]] inline uint64_t part(uint64_t x) {
  constexpr uint64_t a = scrambled(2 * N + 1), b = scrambled(2 * N + 2);
  uint64_t& far = g_data[a % kWords];
  uint64_t& near = g_data[b % (kWords / 16)];
  x ^= a;
  x = (x & 1) != 0 ? x + far : x - far;
  x *= b | 1;
  if (x >> 63 != 0) x ^= near * (a | 1);
  near = x;
  x ^= x >> (7 + b % 24);
  if ((x & 7) == a % 8) x += b;
  return x * (a | 3) + (x << (3 + a % 17));
}

template <unsigned N>
[[gnu::noinline]] uint64_t function(uint64_t x) {
  return part<4 * N + 3>(part<4 * N + 2>(part<4 * N + 1>(part<4 * N>(x))));
}

template <unsigned... N>
constexpr std::array<Function, sizeof...(N)> table(std::integer_sequence<unsigned, N...>) {
  return {&function<N>...};
}
constexpr std::array<Function, kFunctions> kTable = table(std::make_integer_sequence<unsigned, kFunctions>());

struct Order {
  std::vector<Function> of_operator[kOperators], of_driver;
  Order() {
    std::mt19937 random(7);
    auto any = [&](unsigned of) { return kTable[random() % of]; };
    for (auto& order : of_operator)
      for (unsigned i = 0; i < kOfOperator; ++i) order.push_back(any(random() % 100 < 45 ? kFunctions : kCommon));
    for (unsigned i = 0; i < kOfDriver; ++i) of_driver.push_back(any(kFunctions));
  }
};
const Order g_order;

void run(const std::vector<Function>& functions) noexcept {
  uint64_t x = g_state;
  for (const Function each : functions) x = each(x);
  g_state = x;
}

}  // namespace

void work_before(int which) noexcept { run(g_order.of_operator[which]); }
void work_of_driver() noexcept { run(g_order.of_driver); }

}  // namespace cold_launch
