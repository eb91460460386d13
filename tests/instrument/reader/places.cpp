#include "instrument/reader/places.h"

#include <gtest/gtest.h>

#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

// Answers for one object from a table and keeps what it was asked.
class TableSymbols : public reader::SymbolSource {
 public:
  reader::SymbolMap lookup(const reader::Module& module, const std::vector<uint64_t>& addresses) override {
    asked.push_back(module.path);
    reader::SymbolMap found;
    for (uint64_t address : addresses)
      if (table.count(address)) found[address] = table[address];
    return found;
  }
  reader::SymbolMap table;
  std::vector<std::string> asked;
};

TEST(Places, TheUsersLineIsTheFirstFrameOutsideLibraries) {
  const auto trace = test::trace_of(
      "trace\nchunk tid=1\n"
      "module bias=0x1000 begin=0x1000 end=0x2000 path=\"/usr/lib/libcudart.so.13\"\n"
      "module bias=0x4000 begin=0x4000 end=0x8000 path=\"/home/u/train\"\n"
      "stack id=1 native=0x1010,0x4101,0x4201,0x4301\n");
  TableSymbols symbols;
  symbols.table[0x100] = {{"cudart::cudaApiMemcpy", "", 0}};  // static cudart: no line
  symbols.table[0x200] = {{"thrust::copy", "/usr/local/cuda/include/thrust/copy.h", 9}, {"load()", "/src/data.cu", 77}};
  symbols.table[0x300] = {{"main", "/src/main.cu", 5}};
  const reader::Places places(trace, symbols);
  const auto place = places.user_place(1);
  EXPECT_EQ(place.file, "/src/data.cu");
  EXPECT_EQ(place.line, 77u);
  EXPECT_EQ(symbols.asked, std::vector<std::string>{"/home/u/train"});
  EXPECT_EQ(places.stack(1).frames.size(), 5u);
}

TEST(Places, NeitherALaunchStubNorAKernelHeaderIsTheUsersLine) {
  const auto trace = test::trace_of(
      "trace\nchunk tid=1\nmodule bias=0x4000 begin=0x4000 end=0x8000 path=\"/home/u/train\"\nstack id=1 "
      "native=0x4101,0x4201,0x4301\n");
  TableSymbols symbols;
  symbols.table[0x100] = {{"stub", "/tmp/tmpxft_000005fe_00000000-6_pace.compute_90.cudafe1.stub.c", 14}};
  symbols.table[0x200] = {{"syncsniff::detail::launch", "/opt/include/syncsniff/detail/launch.cuh", 15},
                          {"norms()", "/src/norms.cu", 8}};
  symbols.table[0x300] = {{"main", "/src/main.cu", 5}};
  const reader::Places places(trace, symbols);
  EXPECT_EQ(reader::place_text(places.user_place(1)), "norms.cu:8");
}

TEST(Places, ALineThatNvccKeepsUnderItsOwnNameIsTheSources) {
  const auto trace = test::trace_of(
      "trace\nchunk tid=1\nmodule bias=0x4000 begin=0x4000 end=0x8000 path=\"/home/u/train\"\n"
      "stack id=1 native=0x4101,0x4301\nstack id=2 native=0x4201,0x4301\nstack id=3 native=0x4301\n");
  TableSymbols symbols;
  symbols.table[0x100] = {{"Scratch::get", "/tmp/tmpxft_000005fe_00000000-6_main_loop.cudafe1.cpp", 59}};
  symbols.table[0x200] = {{"other", "/tmp/tmpxft_000005fe_00000000-6_other.cudafe1.cpp", 7}};
  symbols.table[0x300] = {{"main", "/src/main_loop.cu", 5}};
  const reader::Places places(trace, symbols);
  EXPECT_EQ(places.user_place(1).file, "/src/main_loop.cu");
  EXPECT_EQ(places.user_place(1).line, 59u);
  EXPECT_NE(places.user_place(2).file, "/src/main_loop.cu") << "of another source, which no line names";
}

TEST(Places, WithoutLinesTheObjectAndOffsetAreTold) {
  const auto trace = test::trace_of(
      "trace\nchunk tid=1\nmodule bias=0x4000 begin=0x4000 end=0x8000 path=\"/home/u/train\"\nstack id=1 "
      "native=0x4101,0x4201\n");
  TableSymbols symbols;
  symbols.table[0x100] = {{"cudaMemcpy", "", 0}};
  const reader::Places places(trace, symbols);
  EXPECT_EQ(reader::place_text(places.user_place(1)), "train+0x200");
  EXPECT_EQ(reader::place_text(places.user_place(99)), "unknown place");
}

TEST(Places, PythonSpeaksWhereNativeFramesAreLibraries) {
  const auto trace = test::trace_of(
      "trace\nchunk tid=1\n"
      "module bias=0x1000 begin=0x1000 end=0x2000 path=\"/v/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so\"\n"
      "module bias=0x4000 begin=0x4000 end=0x8000 path=\"/usr/bin/python3.11\"\n"
      "code id=1 version=0x30b first_line=3 file=\"/v/lib/python3.11/site-packages/torch/nn/utils.py\" name=\"clip\"\n"
      "code id=2 version=0x30b first_line=40 file=\"/home/u/train.py\" name=\"step\"\n"
      "stack id=1 native=0x1010,0x4101 python=1:0,2:0\n"
      "stack id=2 native=0x1010,0x4101 python=1:0\n");
  TableSymbols symbols;
  const reader::Places places(trace, symbols);
  EXPECT_EQ(reader::place_text(places.user_place(1)), "train.py:40");
  EXPECT_EQ(reader::place_text(places.user_place(2)), "utils.py:3");
  EXPECT_TRUE(symbols.asked.empty());
}

// A pyenv build has debug information in its own extensions: a call by ctypes is the line of Python that makes it.
TEST(Places, PythonSpeaksWhereTheInterpretersOwnExtensionHasLines) {
  const std::string text =
      "trace\nchunk tid=1\n"
      "module bias=0x4000 begin=0x4000 end=0x8000 "
      "path=\"/r/.pyenv/versions/3.11.12/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so\"\n"
      "module bias=0x10000 begin=0x10000 end=0x20000 path=\"/home/u/build/bin/python\"\n"
      "code id=1 version=0x30b first_line=6 file=\"/home/u/train.py\" name=\"step\"\n"
      "stack id=1 native=0x4101,0x10101 python=1:0\n";
  TableSymbols symbols;
  symbols.table[0x100] = {{"_call_function_pointer", "/tmp/Python-3.11.12/Modules/_ctypes/callproc.c", 923}};
  const auto trace = test::trace_of(text);
  const reader::Places places(trace, symbols);
  EXPECT_EQ(reader::place_text(places.user_place(1)), "train.py:6");
  EXPECT_TRUE(symbols.asked.empty());
  // A trace that an older syncsniff put the extension's lines into.
  const auto older = test::trace_of(text +
                                    "symbol address=0x4101 line=923 function=\"_call_function_pointer\" "
                                    "file=\"/tmp/Python-3.11.12/Modules/_ctypes/callproc.c\"\n");
  EXPECT_EQ(reader::place_text(test::places_of(older).user_place(1)), "train.py:6");
}

// A library calls the optimizer with a closure that computes the loss and its gradients: the innermost frame decides.
TEST(Places, AFrameOfTheFrameworkTellsThePartOfTheStep) {
  const std::string torch = "/usr/lib/python3/dist-packages/torch/";
  const reader::Trace trace = test::trace_of(
      "trace\nchunk tid=1\n"
      "code id=1 first_line=1 file=\"" +
      torch +
      "optim/optimizer.py\" name=\"Optimizer.profile_hook_step.<locals>.wrapper\"\n"
      "code id=2 first_line=1 file=\"" +
      torch +
      "nn/modules/module.py\" name=\"Module._call_impl\"\n"
      "code id=3 first_line=1 file=\"" +
      torch +
      "_tensor.py\" name=\"Tensor.backward\"\n"
      "code id=4 first_line=1 file=\"" +
      torch +
      "utils/data/dataloader.py\" name=\"_BaseDataLoaderIter.__next__\"\n"
      "code id=5 first_line=1 file=\"/home/u/train.py\" name=\"backward\"\n"
      "stack id=1 python=1:0,5:0\nstack id=2 python=2:0,1:0,5:0\nstack id=3 python=3:0,1:0,5:0\n"
      "stack id=4 python=4:0,5:0\nstack id=5 python=5:0\n");
  const reader::Places places = test::places_of(trace);
  using reader::StepPart;
  EXPECT_EQ(places.part(1), StepPart::kOptimizer);
  EXPECT_EQ(places.part(2), StepPart::kForward);
  EXPECT_EQ(places.part(3), StepPart::kBackward);
  EXPECT_EQ(places.part(4), StepPart::kData);
  EXPECT_EQ(places.part(5), StepPart::kOther) << "a name of the user's tells nothing";
}

TEST(Places, KnowsHowAnOptimizerUpdates) {
  using reader::Updates;
  const std::string folder = "/v/site-packages/torch/optim/";
  EXPECT_EQ(reader::updates_of_frame(folder + "adam.py", "_multi_tensor_adam"), Updates::kForeach);
  EXPECT_EQ(reader::updates_of_frame(folder + "adam.py", "_single_tensor_adam"), Updates::kOneByOne);
  EXPECT_EQ(reader::updates_of_frame(folder + "sgd.py", "_fused_sgd"), Updates::kFused);
  EXPECT_EQ(reader::updates_of_frame(folder + "sparse_adam.py", "SparseAdam.step"), Updates::kOther);
  EXPECT_EQ(reader::updates_of_frame(folder + "adam.py", "Adam.step"), Updates::kUnknown);
  EXPECT_EQ(reader::updates_of_frame("/home/u/adam.py", "_multi_tensor_adam"), Updates::kUnknown);
}

// torchvision's transforms are modules, and images are transformed within the loader.
TEST(Places, WhatALoaderCallsIsLoading) {
  const std::string torch = "/usr/lib/python3/dist-packages/torch/";
  const reader::Trace trace = test::trace_of(
      "trace\nchunk tid=1\n"
      "code id=2 first_line=1 file=\"" +
      torch +
      "nn/modules/module.py\" name=\"Module._call_impl\"\n"
      "code id=4 first_line=1 file=\"" +
      torch +
      "utils/data/_utils/fetch.py\" name=\"_MapDatasetFetcher.fetch\"\n"
      "code id=5 first_line=1 file=\"/home/u/train.py\" name=\"Images.__getitem__\"\n"
      "stack id=1 python=2:0,5:0,4:0\nstack id=2 python=2:0,5:0\n");
  const reader::Places places = test::places_of(trace);
  EXPECT_EQ(places.part(1), reader::StepPart::kData);
  EXPECT_EQ(places.part(2), reader::StepPart::kForward);
}

// A loader's thread runs a library alone: its innermost line is told, and it is not the program's.
TEST(Places, AThreadOfALibraryHasNoLineOfTheProgram) {
  const std::string codes =
      "trace\nchunk tid=1\n"
      "code id=1 first_line=7 file=\"/usr/lib/python3/dist-packages/torch/utils/data/_utils/pin_memory.py\" "
      "name=\"pin\"\n"
      "code id=2 first_line=9 file=\"/home/u/train.py\" name=\"main\"\nstack id=1 python=1:0\n";
  const auto mixed = test::places_of(test::trace_of(codes + "stack id=2 python=1:0,2:0\n"));
  EXPECT_EQ(reader::place_text(mixed.user_place(1)), "pin_memory.py:7");
  EXPECT_FALSE(mixed.is_programs(1));
  EXPECT_TRUE(mixed.is_programs(2));
  EXPECT_FALSE(mixed.is_programs(3)) << "no such stack";
  const auto package = test::places_of(test::trace_of(codes));
  EXPECT_TRUE(package.is_programs(1)) << "the whole program is an installed package";
}

TEST(Places, KnowsLibraries) {
  for (const char* path :
       {"/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/x/libc10_cuda.so", "/lib/libc.so.6", "/usr/lib/libm.so.6",
        "/lib64/ld-linux-x86-64.so.2", "/p/libsyncsniff_shim.so", "/v/dist-packages/jaxlib/xla.so", "/usr/bin/python3",
        "/home/u/cpython/python", "/r/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so"})
    EXPECT_TRUE(reader::is_library_module(path)) << path;
  for (const char* path : {"/home/u/train", "/home/u/libcommon.so", "./a.out", "/home/u/build/libmodel.so",
                           "/home/u/python/train", "/home/u/pythonic.so"})
    EXPECT_FALSE(reader::is_library_module(path)) << path;
  EXPECT_TRUE(reader::is_library_source("/usr/local/cuda-13.0/include/cub/x.cuh"));
  EXPECT_TRUE(reader::is_library_source("/usr/lib/python3.11/threading.py"));
  EXPECT_FALSE(reader::is_library_source("/home/u/llm.c/train_gpt2.cu"));
  for (const char* generated :
       {"/tmp/torchinductor_u/px/cpxlz.py", "/tmp/torch_geometric.nn.conv.gcn_conv_GCNConv_propagate_tc_1.py",
        "<eval_with_key>.12"})
    EXPECT_TRUE(reader::is_library_source(generated)) << generated;
  for (const char* users : {"<string>", "<stdin>", "/tmp/ipykernel_7/1.py", "/tmp/torch_geometric/train.py"})
    EXPECT_FALSE(reader::is_library_source(users)) << users;
}

TEST(Places, SymbolsTravelInTheTrace) {
  const std::string path = test::fresh_folder() + "/append.sstrace";
  test::write_file(path,
                   reader::undump_trace(
                       "trace pid=1\nchunk tid=5\nmodule bias=0x4000 begin=0x4000 end=0x8000 path=\"/nowhere/train\"\n"
                       "stack id=1 native=0x4101\n",
                       "t"));
  TableSymbols symbols;
  symbols.table[0x100] = {{"inner", "/src/a.cu", 3}, {"outer", "/src/a.cu", 9}};
  ASSERT_TRUE(reader::append_symbols(path, reader::Places(reader::read_trace(path), symbols)));
  const auto again = reader::read_trace(path);
  const auto places = test::places_of(again);  // no symbolizer, no program
  EXPECT_EQ(reader::place_text(places.user_place(1)), "a.cu:3");
  EXPECT_EQ(places.stack(1).frames.at(1).function, "outer");
  const auto size = test::read_file(path).size();
  ASSERT_TRUE(reader::append_symbols(path, places));
  EXPECT_EQ(test::read_file(path).size(), size);
}

TEST(Places, TheCodeOfAFileItselfIsNoFunction) {
  EXPECT_EQ(reader::place_and_function({"/home/u/train.py", 12, "Trainer.step"}), "train.py:12 Trainer.step");
  EXPECT_EQ(reader::place_and_function({"/home/u/train.py", 80, "<module>"}), "train.py:80");
  EXPECT_EQ(reader::place_and_function({"/home/u/train.cu", 80, ""}), "train.cu:80");
  EXPECT_EQ(reader::function_text({"/home/u/train.py", 80, "<lambda>"}), "<lambda>");
}

}  // namespace
}  // namespace syncsniff
