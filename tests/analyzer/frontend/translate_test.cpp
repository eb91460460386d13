// Command lines as real builds write them -> what Clang is given. Each row is one build system's or one option's story.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"

namespace syncsniff::frontend {
namespace {

struct Row {
  const char* name;
  const char* file;
  const char* command;
  Language language;
  std::vector<std::string> has;    // runs of words that must stand together: "-I /p/inc"
  std::vector<std::string> lacks;  // words that must not appear
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

constexpr Language kCuda = Language::kCuda, kCxx = Language::kCxx, kC = Language::kC;

const Row kRows[] = {
    // nvcc, as CMake writes it
    {"cmake_nvcc",
     "a.cu",
     "/usr/bin/nvcc -forward-unknown-to-host-compiler -DFOO=1 -I/p/inc -isystem=/p/sys --generate-code=arch=compute_80,"
     "code=[compute_80,sm_80] -O3 -DNDEBUG -std=c++17 -Xcompiler=-fPIC --expt-relaxed-constexpr -x cu -c a.cu -o a.o",
     kCuda,
     {"-x cuda", "-D FOO=1", "-D NDEBUG", "-I /p/inc", "-isystem /p/sys", "-std=c++17", "--cuda-host-only"},
     {"-o", "a.o", "-c", "a.cu", "-O3", "-fPIC", "-x=cu"}},
    {"cmake_nvcc_rdc",
     "a.cu",
     "nvcc -rdc=true -Xcompiler=-fopenmp -dc a.cu",
     kCuda,
     {"-D __CUDACC_RDC__=1", "-D _OPENMP=201511"},
     {"-fopenmp", "-dc"}},
    // every way to give an argument
    {"joined",
     "a.cu",
     "nvcc -DA -DB=2 -UC -Iinc -I=inc2 -O2 a.cu",
     kCuda,
     {"-D A", "-D B=2", "-U C", "-I /p/inc", "-I /p/inc2"},
     {"-O2"}},
    {"separate",
     "a.cu",
     "nvcc -D A -U C -I inc -isystem sys -std c++14 -arch sm_80 -O 2 a.cu",
     kCuda,
     {"-D A", "-U C", "-I /p/inc", "-isystem /p/sys", "-std=c++14"},
     {"2", "sm_80"}},
    {"long_names",
     "a.cu",
     "nvcc --define-macro A --undefine-macro=B --include-path inc --system-include=sys --pre-include /p/pre.h "
     "--std=c++20 a.cu",
     kCuda,
     {"-D A", "-U B", "-I /p/inc", "-isystem /p/sys", "-include /p/pre.h", "-std=c++20"},
     {}},
    {"comma_lists",
     "a.cu",
     "nvcc -DA,B=1 -I/x,/y -isystem /s,/t -include /p/a.h,/p/b.h a.cu",
     kCuda,
     {"-D A -D B=1", "-I /x -I /y", "-isystem /s -isystem /t", "-include /p/a.h -include /p/b.h"},
     {"A,B=1"}},
    {"escaped_comma", "a.cu", "nvcc '-DF=f\\,g' a.cu", kCuda, {"-D F=f,g"}, {}},
    {"quoted_macro", "a.cu", "nvcc '-DNAME=\"a b\"' a.cu", kCuda, {"-D NAME=\"a b\""}, {}},
    {"device_debug_swallows_nothing", "a.cu", "nvcc -G -DA a.cu", kCuda, {"-D A"}, {"-G"}},
    {"threads", "a.cu", "nvcc -t=0 -DA -t 4 -DB -t8 -DC a.cu", kCuda, {"-D A", "-D B", "-D C"}, {"0", "4"}},
    {"gencode",
     "a.cu",
     "nvcc -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -DA a.cu",
     kCuda,
     {"-D A"},
     {"arch=compute_80,code=sm_80"}},
    {"ccbin", "a.cu", "nvcc -ccbin g++-12 --compiler-bindir=/usr/bin/g++ -DA a.cu", kCuda, {"-D A"}, {"g++-12"}},
    {"boolean_values",
     "a.cu",
     "nvcc --ftz=true -prec-div false --fmad true --use_fast_math -maxrregcount 64 -DA a.cu",
     kCuda,
     {"-D A"},
     {"true", "false", "64"}},
    {"dependencies",
     "a.cu",
     "nvcc -MD -MT a.o -MF a.d -MP -MMD -DA a.cu",
     kCuda,
     {"-D A"},
     {"a.o", "a.d", "-MD", "-MF", "-MT"}},
    {"diagnostics",
     "a.cu",
     "nvcc --diag-suppress 20012,177 -Xcudafe --diag_suppress=2977 -Werror all-warnings -w -DA a.cu",
     kCuda,
     {"-D A"},
     {"20012,177", "all-warnings"}},
    {"debug_info",
     "a.cu",
     "nvcc -g -lineinfo -src-in-ptx -res-usage -keep --keep-dir /tmp/k -DA a.cu",
     kCuda,
     {"-D A"},
     {"/tmp/k", "-g"}},
    {"linking",
     "a.cu",
     "nvcc -lcublas -L/x -L /y -l cudart -Xlinker -rpath,/z --shared -DA a.cu",
     kCuda,
     {"-D A"},
     {"-lcublas", "cudart", "/y", "-rpath,/z"}},
    {"host_options_list",
     "a.cu",
     "nvcc -Xcompiler -march=haswell,-DA -Xcompiler '-DB -mavx2' --compiler-options=-fno-rtti a.cu",
     kCuda,
     {"-march=haswell", "-D A", "-D B", "-mavx2", "-fno-rtti"},
     {}},
    {"host_option_dash_value", "a.cu", "nvcc -Xcompiler -fPIC -DA a.cu", kCuda, {"-D A"}, {"-fPIC"}},
    {"forwarded",
     "a.cu",
     "nvcc -forward-unknown-to-host-compiler -fopenmp -Wall -march=native -fno-exceptions a.cu",
     kCuda,
     {"-D _OPENMP=201511", "-march=native", "-fno-exceptions"},
     {"-Wall"}},
    {"no_exceptions", "a.cu", "nvcc -noeh a.cu", kCuda, {"-fno-exceptions"}, {}},
    {"default_standard", "a.cu", "nvcc a.cu", kCuda, {"-std=gnu++17"}, {}},
    {"old_standard", "a.cu", "nvcc -std=c++03 a.cu", kCuda, {"-std=gnu++11"}, {"-std=c++03"}},
    {"extended_lambda",
     "a.cu",
     "nvcc --extended-lambda --expt-extended-lambda a.cu",
     kCuda,
     {"-D __CUDACC_EXTENDED_LAMBDA__=1"},
     {}},
    {"template_depth", "a.cu", "nvcc -ftemplate-depth=2000 a.cu", kCuda, {"-ftemplate-depth=2000"}, {}},
    {"language_cu", "a.cpp", "nvcc -x cu -c a.cpp", kCuda, {"-x cuda"}, {}},
    {"language_cxx", "a.cu", "nvcc -x c++ -c a.cu", kCxx, {"-x c++"}, {"--cuda-host-only"}},
    {"nvcc_cpp", "a.cpp", "nvcc -std=c++17 -c a.cpp", kCxx, {"-x c++", "-std=c++17"}, {"--cuda-host-only"}},
    {"nvcc_c", "a.c", "nvcc -std=c++17 -c a.c", kC, {"-x c"}, {"-std=c++17"}},
    {"bazel_cu_cc",
     "k.cu.cc",
     "nvcc -iquote . -iquote bazel-out/k8/bin -c k.cu.cc",
     kCuda,
     {"-iquote /p", "-iquote /p/bazel-out/k8/bin"},
     {}},
    {"cuh_alone", "k.cuh", "nvcc -I inc k.cuh", kCuda, {"-x cuda", "-I /p/inc"}, {}},
    {"pre_cmake_makefile",
     "a.cu",
     "/usr/local/bin/nvcc -gencode arch=compute_75,code=sm_75 -Iinclude/ -Isrc/ -DGPU -I/opt/none/include/ "
     "--compiler-options \"-Wall -Wno-unknown-pragmas -Wfatal-errors -fPIC -Ofast -DGPU2\" -c ./src/a.cu -o obj/a.o",
     kCuda,
     {"-I /p/include", "-I /p/src", "-D GPU", "-D GPU2"},
     {"-Ofast", "-Wall"}},
    // Clang compiling CUDA
    {"clang_cuda",
     "a.cu",
     "clang++ -x cuda --cuda-gpu-arch=sm_80 --cuda-path=/nowhere -std=c++20 -DA a.cu",
     kCuda,
     {"-x cuda", "-std=c++20", "-D A"},
     {"--cuda-gpu-arch=sm_80"}},
    // gcc and its kin
    {"gxx",
     "a.cpp",
     "g++ -std=gnu++20 -DA -Iinc -iquote q -isystem s -idirafter after -include /p/pre.h -O2 -g -Wall -c a.cpp",
     kCxx,
     {"-std=gnu++20", "-D A", "-I /p/inc", "-iquote /p/q", "-isystem /p/s", "-idirafter /p/after", "-include /p/pre.h"},
     {"-O2", "-g", "-Wall"}},
    {"gcc_only_flags",
     "a.cpp",
     "g++ -fno-semantic-interposition -fconcepts -flto=auto --coverage -fcf-protection -frecord-gcc-switches "
     "-mindirect-branch=thunk "
     "-fno-var-tracking-assignments -specs=/x.specs --param ssp-buffer-size=4 -DA -c a.cpp",
     kCxx,
     {"-D A"},
     {"-fconcepts", "--coverage", "-specs=/x.specs", "ssp-buffer-size=4"}},
    {"unknown_standard", "a.cpp", "g++ -std=gnu++99z -DA -c a.cpp", kCxx, {"-D A"}, {"-std=gnu++99z"}},
    {"unknown_cpu", "a.cpp", "g++ -march=futurelake -mtune=native -DA a.cpp", kCxx, {"-D A"}, {"-march=futurelake"}},
    {"instruction_sets",
     "a.cpp",
     "g++ -mavx -mavx2 -mfma -msse4.2 a.cpp",
     kCxx,
     {"-mavx", "-mavx2", "-mfma", "-msse4.2"},
     {}},
    {"preprocessor_words",
     "a.cpp",
     "g++ -Wp,-DA,-UB -Wp,-MD,a.d -D_FORTIFY_SOURCE=2 a.cpp",
     kCxx,
     {"-D A", "-U B"},
     {"-Wp,-MD,a.d"}},
    {"openmp_off_again", "a.cpp", "g++ -fopenmp -fno-openmp a.cpp", kCxx, {}, {"_OPENMP=201511"}},
    {"c_file", "a.c", "cc -std=gnu99 -DA -c a.c", kC, {"-x c", "-std=gnu99", "-D A"}, {}},
    {"c_file_in_cxx", "a.c", "g++ -c a.c", kCxx, {"-x c++"}, {}},
    {"c_standard_for_cxx", "a.cpp", "g++ -std=c99 a.cpp", kCxx, {}, {"-std=c99"}},
    {"mpicxx", "a.cpp", "mpicxx -DA a.cpp", kCxx, {"-D A"}, {}},
    {"cross_compiler", "a.cpp", "x86_64-linux-gnu-g++-12 -DA a.cpp", kCxx, {"-D A"}, {}},
    // what stands before the compiler
    {"ccache", "a.cpp", "ccache g++ -DA a.cpp", kCxx, {"-D A"}, {"g++"}},
    {"ccache_nvcc", "a.cu", "/usr/bin/ccache /usr/bin/nvcc -G -DA a.cu", kCuda, {"-D A"}, {"-G"}},
    {"env", "a.cpp", "env CCACHE_DIR=/x LANG=C sccache g++ -DA a.cpp", kCxx, {"-D A"}, {"CCACHE_DIR=/x"}},
    {"cmake_launcher",
     "a.cpp",
     "cmake -E __run_co_compile --launcher=ccache --source=a.cpp -- /usr/bin/c++ -DA -c a.cpp",
     kCxx,
     {"-D A"},
     {"--launcher=ccache"}},
    {"assignment_first", "a.cpp", "CCACHE_DISABLE=1 g++ -DA a.cpp", kCxx, {"-D A"}, {}},
    {"per_thread_stream",
     "a.cu",
     "nvcc --default-stream per-thread a.cu",
     kCuda,
     {"-D CUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
     {"per-thread"}},
};

class TranslateRow : public testing::TestWithParam<Row> {};

Toolchain toolchain_with_resources() {
  Toolchain toolchain;
  toolchain.data_directory = "/share";
  toolchain.resource_dir = "/resource";
  return toolchain;
}

UnitCommand translate_line(const std::string& file, const std::string& line) {
  return translate({"/p", file, split_command(line)}, toolchain_with_resources());
}

bool holds_run(const std::vector<std::string>& words, const std::string& run) {
  std::string all = " ";
  for (const std::string& word : words) all += word + " ";
  return all.find(" " + run + " ") != std::string::npos;
}

bool holds_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST_P(TranslateRow, GivesClangWhatItNeeds) {
  const Row& row = GetParam();
  const UnitCommand unit = translate_line(row.file, row.command);
  EXPECT_EQ(unit.file, std::string("/p/") + row.file);
  EXPECT_EQ(unit.language, row.language);
  for (const std::string& run : row.has)
    EXPECT_TRUE(holds_run(unit.clang_args, run)) << run << "\nin " << testing::PrintToString(unit.clang_args);
  for (const std::string& word : row.lacks)
    EXPECT_FALSE(holds_word(unit.clang_args, word)) << word << "\nin " << testing::PrintToString(unit.clang_args);
}

INSTANTIATE_TEST_SUITE_P(RealBuilds, TranslateRow, testing::ValuesIn(kRows),
                         [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

TEST(Translate, EveryUnitIsQuietAndNeverStopsAtErrors) {
  const UnitCommand unit = translate_line("a.cpp", "g++ -Wall -Werror -fmax-errors=1 a.cpp");
  for (const char* word : {"-fsyntax-only", "-w", "-Wno-everything", "-ferror-limit=0", "-resource-dir=/resource"})
    EXPECT_TRUE(holds_word(unit.clang_args, word)) << word;
  EXPECT_FALSE(holds_word(unit.clang_args, "-Werror"));
}

TEST(Translate, TellsWhatItIgnored) {
  const UnitCommand unit = translate_line("a.cu", "nvcc -lineinfo -Xcompiler -fPIC --keep-dir k a.cu");
  EXPECT_EQ(unit.ignored, (std::vector<std::string>{"-lineinfo", "--keep-dir k", "-fPIC"}));
}

TEST(Translate, SaysWhichDefaultStream) {
  EXPECT_FALSE(translate_line("a.cu", "nvcc a.cu").per_thread_default_stream);
  EXPECT_FALSE(translate_line("a.cu", "nvcc --default-stream=legacy a.cu").per_thread_default_stream);
  EXPECT_TRUE(translate_line("a.cu", "nvcc --default-stream=per-thread a.cu").per_thread_default_stream);
  EXPECT_TRUE(translate_line("a.cpp", "g++ -DCUDA_API_PER_THREAD_DEFAULT_STREAM a.cpp").per_thread_default_stream);
}

TEST(Translate, WithoutToolkitTheFallbackStandsIn) {
  const UnitCommand unit = translate_line("a.cu", "nvcc a.cu");
  EXPECT_TRUE(holds_run(unit.clang_args, "-isystem /share/clang-headers/fallback"));
  EXPECT_TRUE(holds_run(unit.clang_args, "-include /share/clang-headers/fallback/syncsniff_fallback.h"));
  EXPECT_TRUE(unit.uses_cuda);
  EXPECT_FALSE(translate_line("a.cpp", "g++ a.cpp").uses_cuda);
}

TEST(Translate, WithToolkitItsHeadersComeFromIt) {
  Toolchain toolchain = toolchain_with_resources();
  toolchain.cuda_root = "/cuda";
  const UnitCommand cuda = translate({"/p", "a.cu", split_command("nvcc -isystem s a.cu")}, toolchain);
  EXPECT_TRUE(holds_run(cuda.clang_args, "-isystem /cuda/include -isystem /p/s -isystem /cuda/include/cccl"));
  EXPECT_TRUE(holds_run(cuda.clang_args, "-include /share/clang-headers/syncsniff_cuda_wrapper.h"));
  const UnitCommand host = translate({"/p", "a.cpp", split_command("g++ a.cpp")}, toolchain);
  EXPECT_TRUE(holds_run(host.clang_args, "-idirafter /cuda/include"));
}

TEST(Translate, CommandsAreSplitAsAShellDoes) {
  EXPECT_EQ(split_command(R"(g++ -DA=\"x\" '-DB=\,y' "-DC=a b\"c\d" -D'E 'F ''  )"),
            (std::vector<std::string>{"g++", "-DA=\"x\"", "-DB=\\,y", "-DC=a b\"c\\d", "-DE F", ""}));
}

TEST(Translate, CommandOfOneWordOrNoneDoesNotFail) {
  EXPECT_EQ(translate({"/p", "a.cu", {"nvcc"}}, toolchain_with_resources()).language, kCuda);
  EXPECT_EQ(translate({"/p", "a.cpp", {}}, toolchain_with_resources()).language, kCxx);
  EXPECT_EQ(translate({"", "/q/a.cpp", {"g++", ""}}, toolchain_with_resources()).file, "/q/a.cpp");
}

}  // namespace
}  // namespace syncsniff::frontend
