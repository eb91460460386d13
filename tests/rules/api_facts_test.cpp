// The loader of rules/apis: what it reads, and each fault it tells.
#include "rules/api_facts.h"

#include <gtest/gtest.h>

#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::error_of;
using test::Scratch;

constexpr const char* kHead = "library: lib\nheader: lib.h\nfunctions:\n";

TEST(ApiFacts, ReadsEveryKey) {
  Scratch scratch;
  scratch.write("lib.yaml", std::string(kHead) + R"yaml(
  copy_it: {blocks_host: always, waits_for: stream, stream: s, enqueues: copy,
    except: [{arg: kind, equals: D2D, blocks_host: never}],
    copy: {dst: 0, src: from, bytes: n, kind: kind},
    signature: "int copy_it(void* to, const void* from, unsigned long n, int kind, stream_t s)"}
  make: {allocates: pinned, out: return, bytes: 0, pooled: true, waits_for: device, implicit: true}
  read: {tensor: sync_scalar, blocks_host: cuda_tensor, event: object, removed_in: "13.0", header: other.h}
  shim: {class: wait, versions: {shim: 2000, shim_old: 1000}, host_work: logs, error_path: true, group: begin}
)yaml");
  const ApiTable table = ApiTable::load(scratch.path());
  ASSERT_EQ(table.all().size(), 4u);
  const ApiFact& copy = *table.find("copy_it");
  EXPECT_EQ(copy.library, "lib");
  EXPECT_EQ(copy.header, "lib.h");
  EXPECT_EQ(copy.blocks, Blocks::kAlways);
  EXPECT_EQ(copy.waits_for, WaitsFor::kStream);
  EXPECT_EQ(copy.stream_arg, 4);
  EXPECT_TRUE(copy.enqueues);
  EXPECT_FALSE(copy.launches_kernel);
  ASSERT_TRUE(copy.copy.has_value());
  EXPECT_EQ(copy.copy->src, 1);
  EXPECT_EQ(copy.copy->bytes, 2);
  EXPECT_EQ(copy.copy->kind, 3);
  ASSERT_EQ(copy.except.size(), 1u);
  EXPECT_EQ(copy.except[0].arg, 3);
  EXPECT_EQ(copy.except[0].blocks, Blocks::kNever);
  const ApiFact& make = *table.find("make");
  EXPECT_EQ(make.allocates, MemoryKind::kPinned);
  EXPECT_EQ(make.out_arg, kReturn);
  EXPECT_TRUE(make.pooled);
  EXPECT_EQ(make.waits_for, WaitsFor::kNothing);
  EXPECT_EQ(make.implicit_wait, WaitsFor::kDevice);
  const ApiFact& read = *table.find("read");
  EXPECT_EQ(read.event_arg, kObject);
  EXPECT_EQ(read.header, "other.h");
  EXPECT_EQ(read.removed_in, "13.0");
  const ApiFact& shim = *table.find("shim");
  EXPECT_EQ(shim.call_class, "wait");
  ASSERT_EQ(shim.versions.size(), 2u);
  EXPECT_EQ(shim.versions[1], (std::pair<std::string, int>("shim_old", 1000)));
  EXPECT_TRUE(shim.in_error_path);
}

TEST(ApiFacts, NameTheTypesThatSayWhetherACallSucceeded) {
  Scratch scratch;
  scratch.write("lib.yaml",
                "library: lib\nstatus_types: [libStatus_t, libError]\nfunctions:\n  libInit: {reads_error: true}\n");
  const ApiTable table = ApiTable::load(scratch.path());
  EXPECT_TRUE(table.is_status_type("libError"));
  EXPECT_TRUE(table.is_status_type("libStatus_t"));
  EXPECT_FALSE(table.is_status_type("libStatus"));
  EXPECT_TRUE(table.find("libInit")->reads_error);
}

TEST(ApiFacts, FamiliesShareTheirFactsInEachNamespace) {
  Scratch scratch;
  scratch.write("lib.yaml", std::string(kHead) + R"(  one: {}
families:
  - {facts: {tensor: reduction, enqueues: kernel}, namespaces: ["at::", "at::Tensor::"], names: [sum, mean]}
  - {facts: {enqueues: kernel}, names: [plain]}
)");
  const ApiTable table = ApiTable::load(scratch.path());
  EXPECT_EQ(table.all().size(), 6u);
  ASSERT_NE(table.find("at::Tensor::mean"), nullptr);
  EXPECT_EQ(table.find("at::Tensor::mean")->tensor, "reduction");
  EXPECT_TRUE(table.find("plain")->launches_kernel);
  EXPECT_EQ(table.find("mean"), nullptr);
}

TEST(ApiFacts, FindsOtherSpellingsOfOneSymbol) {
  Scratch scratch;
  scratch.write("lib.yaml",
                std::string(kHead) + "  cudaMemcpy: {}\n  cuMemAlloc_v2: {}\n  cuCtxSync: {}\n  cuCtxSync_v2: {}\n");
  const ApiTable table = ApiTable::load(scratch.path());
  EXPECT_EQ(table.find("cudaMemcpy_ptds")->name, "cudaMemcpy");
  EXPECT_EQ(table.find("cuMemAlloc")->name, "cuMemAlloc_v2");
  EXPECT_EQ(table.find("cuMemAlloc_v2_ptsz")->name, "cuMemAlloc_v2");
  EXPECT_EQ(table.find("cuCtxSync")->name, "cuCtxSync");
  EXPECT_EQ(table.find("cuMemFree"), nullptr);
}

struct TableFault {
  const char* text;  // the file's entries, or the whole file when it begins with '!'
  const char* message;
};

void PrintTo(const TableFault& fault, std::ostream* out) { *out << fault.text; }

class ApiFaults : public testing::TestWithParam<TableFault> {};

TEST_P(ApiFaults, AreToldWithFileLineAndKey) {
  Scratch scratch;
  const std::string text = GetParam().text;
  scratch.write("lib.yaml", text[0] == '!' ? text.substr(1) : kHead + text);
  EXPECT_EQ(error_of(scratch.path(), [&] { ApiTable::load(scratch.path()); }), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ApiFaults,
    testing::Values(
        TableFault{"  f: {blocks_host: sometimes}\n",
                   "lib.yaml:4: key 'blocks_host': 'sometimes' is none of: never, always, pageable, host_result, "
                   "host_policy, cuda_tensor, poll"},
        TableFault{"  f: {blocks_host: always}\n",
                   "lib.yaml:4: key 'blocks_host': needs `waits_for` beside it: device, stream, event or result"},
        TableFault{"  f: {blocks_host: always, waits_for: event}\n",
                   "lib.yaml:4: key 'waits_for': needs `event` beside it: the parameter that is the event"},
        TableFault{
            "  f: {blocks_host: host_result}\n",
            "lib.yaml:4: key 'blocks_host': needs `result` beside it: the parameter that the result is written to"},
        TableFault{"  f:\n    waits_for: godot\n",
                   "lib.yaml:5: key 'waits_for': 'godot' is none of: device, stream, event, result"},
        TableFault{
            "  f: {class: wrapped}\n",
            "lib.yaml:4: key 'class': 'wrapped' is none of: wait, copy, allocate, free, launch, poll, module_load, "
            "enqueue, other"},
        TableFault{"  f: {copy: {dst: 0, src: 1}}\n", "lib.yaml:4: key 'copy': needs `kind` or `direction`"},
        TableFault{"  f: {copy: {dst: 0, form: 1}}\n",
                   "lib.yaml:4: key 'form': unknown key in copy; known: dst, src, bytes, kind, count, element_size, "
                   "descriptor, direction"},
        TableFault{"  f: {copy: 3}\n", "lib.yaml:4: key 'copy': must be a map, is a scalar"},
        TableFault{"  f: {except: {arg: 0}}\n", "lib.yaml:4: key 'except': must be a list of exceptions"},
        TableFault{"  f: {except: [{arg: 0, equals: x}]}\n", "lib.yaml:4: key 'blocks_host': is missing from except"},
        TableFault{"  f: {stream: s}\n", "lib.yaml:4: key 'stream': 's' names a parameter, but there is no signature"},
        TableFault{"  f: {stream: s, signature: \"int f(int a)\"}\n",
                   "lib.yaml:4: key 'stream': 's' is not a parameter of f"},
        TableFault{"  f: {stream: 1, signature: \"int f(int a)\"}\n", "lib.yaml:4: key 'stream': f has no argument 1"},
        TableFault{"  f: {stream: -4}\n", "lib.yaml:4: key 'stream': f has no argument -4"},
        TableFault{"  f: {signature: \"int g(int a)\"}\n",
                   "lib.yaml:4: key 'signature': 'int g(int a)' is not a prototype of f"},
        TableFault{"  f: {error_path: maybe}\n", "lib.yaml:4: key 'error_path': 'maybe' is none of: true, false"},
        TableFault{"  f: {versions: {f: new}}\n", "lib.yaml:4: key 'versions': 'new' is not a whole number"},
        TableFault{"  f: {header: [a]}\n", "lib.yaml:4: key 'header': must be a scalar, is a list"},
        TableFault{"  f: {header: ''}\n", "lib.yaml:4: key 'header': is empty"},
        TableFault{"  f: {allocates: pinned, allocates: device}\n",
                   "lib.yaml:4: key 'allocates': given twice, first in line 4"},
        TableFault{"  f: {}\n  g: {}\n  f: {}\n", "lib.yaml:6: key 'f': given twice, first in lib.yaml"},
        TableFault{"  f: 3\n", "lib.yaml:4: key 'f': must be a map, is a scalar"},
        TableFault{"  f: {}\nfamilies:\n  - {facts: {}, names: [f]}\n",
                   "lib.yaml:6: key 'f': given twice, first in lib.yaml"},
        TableFault{"  f: {}\nfamilies:\n  - {names: [g]}\n", "lib.yaml:6: key 'facts': is missing from families"},
        TableFault{"  f: {}\nfamilies: {}\n", "lib.yaml:5: key 'families': must be a list"},
        TableFault{"!library: lib\n", "lib.yaml:1: key 'functions': is missing from the file"},
        TableFault{"!library: lob\nfunctions: {}\n", "lib.yaml:1: key 'library': 'lob' is not the file's name, 'lib'"},
        TableFault{"!library: lib\nfunctions: []\n", "lib.yaml:2: key 'functions': must be a map from names to facts"},
        TableFault{"!library: lib\nfunctoins: {}\nfunctions: {}\n",
                   "lib.yaml:2: key 'functoins': unknown key in the file; did you mean 'functions'? "
                   "known: library, header, status_types, functions, families"},
        TableFault{"!- a\n", "lib.yaml:1: key 'the file': must be a map, is a list"},
        TableFault{"!library: &name lib\nfunctions: *name\n", "lib.yaml:2: an alias (*name); write the value out"},
        TableFault{"!# nothing\n", "lib.yaml:1: holds nothing"},
        TableFault{"!library: lib\nfunctions: {f: {}\n", "lib.yaml:3: not YAML: end of map flow not found"},
        TableFault{"!library: lib\nfunctions: }\n", "lib.yaml:2: not YAML: illegal flow end"}));

TEST(ApiFacts, ANameInTwoFilesIsAFault) {
  Scratch scratch;
  scratch.write("lib.yaml", std::string(kHead) + "  f: {}\n");
  scratch.write("mob.yaml", "library: mob\nfunctions:\n  f: {}\n");
  EXPECT_EQ(error_of(scratch.path(), [&] { ApiTable::load(scratch.path()); }),
            "mob.yaml:3: key 'f': given twice, first in lib.yaml");
}

TEST(ApiFacts, AFolderThatIsNotThere) {
  Scratch scratch;
  const std::string message = error_of(scratch.path(), [&] { ApiTable::load(scratch.path() + "/none"); });
  EXPECT_EQ(message, "none:0: cannot read the folder: No such file or directory");
  EXPECT_NE(error_of("", [&] { ApiTable::load(scratch.path()); }).find("holds no .yaml file"), std::string::npos);
}

TEST(ApiFacts, AFileThatCannotBeRead) {
  Scratch scratch;
  std::filesystem::create_directory(scratch.path() + "/lib.yaml");
  EXPECT_EQ(error_of(scratch.path(), [&] { ApiTable::load(scratch.path()); }),
            "lib.yaml:0: cannot read the file: is a directory");
}

}  // namespace
}  // namespace syncsniff
