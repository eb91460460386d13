// Drives the fuzzer's entry with mutated real command lines: no crash, no hang, no odd exception. Same seed every time.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

const std::vector<std::string> kSeeds = {
    "nvcc -forward-unknown-to-host-compiler -DFOO=1 -I/p/inc -isystem=/p/sys "
    "--generate-code=arch=compute_80,code=[sm_80] -O3 "
    "-std=c++17 -Xcompiler=-fPIC,-O2 -x cu -c a.cu -o a.o",
    "/usr/bin/ccache /usr/bin/nvcc -ccbin g++ -Xcompiler \"-Wall,-DX=\\\"a b\\\"\" -optf nothing.opt -G -t=0 a.cu",
    "g++ -std=gnu++20 -fopenmp -march=native -Wp,-DA,-UB -include pre.h -iquote q @none.rsp -c a.cpp",
    "clang++ --cuda-path=/c -x cuda --cuda-gpu-arch=sm_80 -Xclang -load -mllvm -x --target=x86_64-linux-gnu a.cu",
    "env A=b cmake -E __run_co_compile --launcher=ccache -- c++ -DA -Iinc a.cpp",
};

std::string mutate(std::string line, std::mt19937& random) {
  const std::string alphabet = "-=, \"'\\@xIDUstdincopt0[]{}/:+\t\n\x01\xff";
  const int edits = 1 + static_cast<int>(random() % 8);
  for (int i = 0; i < edits && !line.empty(); ++i) {
    const size_t at = random() % line.size();
    switch (random() % 5) {
      case 0:
        line.erase(at, 1 + random() % 6);
        break;
      case 1:
        line.insert(at, 1, alphabet[random() % alphabet.size()]);
        break;
      case 2:
        line[at] = static_cast<char>(random());
        break;
      case 3:
        line.insert(at, line.substr(random() % line.size(), random() % 12));
        break;
      default:
        line.resize(at);
        break;
    }
  }
  return line;
}

TEST(Mutation, TranslatorSurvivesTenThousandBrokenCommandLines) {
  std::mt19937 random(20240607);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10'000; ++i) {
    const std::string line = mutate(kSeeds[random() % kSeeds.size()], random);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(line.data()), line.size());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
