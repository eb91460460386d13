// Where memory comes from: joins, cycles, contexts, and what must stay unknown.
#include <gtest/gtest.h>

#include "tests/analyzer/program/linked_sources.h"

namespace syncsniff::test {
namespace {

const std::string kProvenanceHead =
    "#include <cuda_runtime.h>\n#include <cstdlib>\nvoid use(const void* p);\n";  // 3 lines

MemoryKind proved(const std::string& text, unsigned line, const char* callee = "use") {
  const LinkedSources sources({{"a.cu", kProvenanceHead + text}});
  return LinkedSources::origins(sources.program(), "a.cu", line, callee, 0).proved();
}

TEST(Provenance, OneKindOnEveryWayIsProved) {
  EXPECT_EQ(proved("void f(bool b) {\n void* p = b ? malloc(1) : calloc(1, 1);\n use(p);\n}\n", 6),
            MemoryKind::kPageable);
}

TEST(Provenance, TwoKindsProveNothing) {
  EXPECT_EQ(proved("void f(bool b) {\n void* p = malloc(1);\n if (b) cudaMallocHost(&p, 1);\n use(p);\n}\n", 7),
            MemoryKind::kUnknown);
}

TEST(Provenance, NullIsNoOrigin) {
  EXPECT_EQ(proved("void f() {\n void* p = nullptr;\n p = malloc(1);\n use(p);\n p = NULL;\n}\n", 7),
            MemoryKind::kPageable);
}

TEST(Provenance, ParameterOfAFunctionThatNobodyCallsIsUnknown) {
  EXPECT_EQ(proved("void f(void* p) {\n use(p);\n}\n", 5), MemoryKind::kUnknown);
}

TEST(Provenance, ResultOfAFunctionThatNobodyShowsIsUnknown) {
  EXPECT_EQ(proved("void* get();\nvoid f() {\n use(get());\n}\n", 6), MemoryKind::kUnknown);
}

TEST(Provenance, ParameterSeenFromOneCallerIsThatCallersArgument) {
  const LinkedSources sources(
      {{"a.cu", kProvenanceHead + "void sink(void* p) {\n use(p);\n}\n"                                   // 4-6
                                  "void one() {\n void* a = malloc(1);\n sink(a);\n}\n"                   // 7-10
                                  "void two() {\n void* b;\n cudaMallocHost(&b, 1);\n sink(b);\n}\n"}});  // 11-15
  const auto& p = sources.program();
  const program::Site use = LinkedSources::site(p, "a.cu", 5, "use");
  EXPECT_EQ(p.origins(p.event(use).args[0].value, use.function).proved(), MemoryKind::kUnknown);
  const program::Context from_one{LinkedSources::site(p, "a.cu", 9, "sink"), nullptr};
  const program::Context from_two{LinkedSources::site(p, "a.cu", 14, "sink"), nullptr};
  EXPECT_EQ(p.origins(p.event(use).args[0].value, use.function, &from_one).proved(), MemoryKind::kPageable);
  EXPECT_EQ(p.origins(p.event(use).args[0].value, use.function, &from_two).proved(), MemoryKind::kPinned);
}

TEST(Provenance, CyclesEnd) {
  EXPECT_EQ(
      proved("struct Node { Node* next; void* data; };\n"
             "void* pick(Node* n, int i) { return i ? pick(n->next, i - 1) : n->data; }\n"
             "void f() {\n Node a;\n a.data = malloc(4);\n a.next = &a;\n Node* p = &a;\n while (p) p = p->next;\n"
             " use(pick(p, 3));\n}\n",
             12),
      MemoryKind::kPageable);
}

TEST(Provenance, SwappedPointersHoldBoth) {
  EXPECT_EQ(
      proved("#include <utility>\nvoid f() {\n void *a, *b = malloc(1);\n cudaMallocHost(&a, 1);\n std::swap(a, b);\n"
             " use(a);\n}\n",
             9),
      MemoryKind::kUnknown);
}

TEST(Provenance, FieldFilledThroughAPointerToTheStruct) {
  EXPECT_EQ(proved("struct B { float* d; };\nvoid init(B* b, int n) { b->d = new float[n]; }\n"
                   "void f() {\n B b;\n init(&b, 4);\n use(b.d);\n}\n",
                   9),
            MemoryKind::kPageable);
}

TEST(Provenance, ManagedDeviceAndMapped) {
  EXPECT_EQ(proved("void f() {\n float* p;\n cudaMallocManaged(&p, 4);\n use(p);\n}\n", 7), MemoryKind::kManaged);
  EXPECT_EQ(proved("void f() {\n float* p;\n cudaMalloc((void**)&p, 4);\n use(p + 3);\n}\n", 7), MemoryKind::kDevice);
  EXPECT_EQ(proved("void f() {\n float* p;\n cudaHostAlloc(&p, 4, cudaHostAllocMapped);\n use(p);\n}\n", 7),
            MemoryKind::kPinned);
}

TEST(Provenance, RegisteredAfterwardsIsNotPageable) {
  EXPECT_NE(proved("void f() {\n void* p = malloc(64);\n cudaHostRegister(p, 64, 0);\n use(p);\n}\n", 7),
            MemoryKind::kPageable);
}

TEST(Provenance, FieldThatAnUnknownFunctionFills) {
  EXPECT_EQ(proved("struct B { float* d; };\nvoid load(B* b);\nvoid f() {\n B b;\n load(&b);\n use(b.d);\n}\n", 9),
            MemoryKind::kUnknown);
}

TEST(Provenance, AggregatesAndCycles) {
  EXPECT_EQ(
      proved(
          "struct Node { Node* next; void* data; };\n"
          "void* pick(Node* n, int i) { return i ? pick(n->next, i - 1) : n->data; }\n"
          "void f() {\n Node a{nullptr, malloc(4)};\n Node* p = &a;\n while (p) p = p->next;\n use(pick(&a, 3));\n}\n",
          10),
      MemoryKind::kPageable);
}

}  // namespace
}  // namespace syncsniff::test
