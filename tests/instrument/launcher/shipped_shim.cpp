// `syncsniff run` with the shipped shim over the fake driver: which traces come out, under which names, and what is
// said of those that do not.
#include <signal.h>

#include <algorithm>
#include <regex>

#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

class ShippedShimTest : public LauncherTest {
 protected:
  void SetUp() override {
    LauncherTest::SetUp();
    setenv("SYNCSNIFF_SHIM", built("lib/syncsniff/libsyncsniff_shim.so").c_str(), 1);
    test::shell("rm given.sstrace", folder_);
  }
  static std::string built(const std::string& path) { return SHIM_TREE "/" + path; }
  static std::string client(const std::string& scenario) {
    return "'" + built("tests/clients/syncsniff_driver_client") + "' proc " + scenario;
  }
  // `run` stands for `syncsniff run`.
  test::Ran driven(const std::string& script) {
    return test::shell("LD_LIBRARY_PATH='" + built("tests/fake_driver") +
                           "' FAKE_CUDA_KERNEL_US=1; export LD_LIBRARY_PATH FAKE_CUDA_KERNEL_US\n"
                           "run() { '" INSTRUMENT "' run \"$@\"; }\n" +
                           script,
                       folder_);
  }
  // Everything, hidden or not, but what a test's shell writes.
  std::string names() { return test::shell("ls -A | grep -v '^\\.out$\\|^\\.err$'", folder_).out; }
};

TEST_F(ShippedShimTest, ATraceHasItsNameAndModeAndNothingElseStays) {
  const auto ran = driven("umask 0; run -o t.sstrace " + client("wait_for_stream") + "; stat -c %a t.sstrace");
  EXPECT_NE(ran.out.find("\n600\n"), std::string::npos) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("note: trace: t.sstrace\n"), std::string::npos) << ran.err;
  EXPECT_EQ(names(), "t.sstrace\n");
}

// Half a second of launches at the usual budget, with a CUPTI that takes as long as the real one. Its kernels take 5 of
// each 500 us; a window of 20 ms that begins or ends within such a period holds one kernel more or less than its share.
TEST_F(ShippedShimTest, AShortRunTellsHowBusyTheGpuWas) {
  const auto ran = driven(
      "export FAKE_CUPTI_COMES_MS=15 FAKE_CUPTI_KERNELS=100 FAKE_CUPTI_KERNEL_EVERY_US=500\n"
      "run --fail-on 'idle_pct>50' '" +
      built("tests/clients/syncsniff_windowed_client") + "' 500");
  EXPECT_NE(ran.err.find("--fail-on=idle_pct>50: idle_pct is 9"), std::string::npos) << ran.err;
  std::smatch busy;
  ASSERT_TRUE(std::regex_search(ran.err, busy, std::regex("GPU 0 busy ([0-9.]+) %"))) << ran.err;
  EXPECT_NEAR(std::stod(busy[1]), 1.0, 0.2) << ran.err;
}

TEST_F(ShippedShimTest, QuietMeansNoReportOnTheTerminalAndNoMore) {
  for (const std::string option : {"-q", "--no-report"}) {
    const auto ran = driven("export FAKE_CUPTI_COMES_MS=15\nrun " + option +
                            " --fail-on 'step_ms>0.0000001' --format json:r.json -o " + option + ".sstrace '" +
                            built("tests/clients/syncsniff_windowed_client") + "' 100");
    EXPECT_NE(ran.err.find("--fail-on=step_ms>"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("GPU 0 busy"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("trace: ") == std::string::npos, option == "-q") << ran.err;
    EXPECT_NE(test::read_file(folder_ + "/r.json").find("\"steps\""), std::string::npos);
    test::shell("rm r.json", folder_);
  }
}

// It had looked for windows 50 times a second, on a processor that the program may need.
TEST_F(ShippedShimTest, WithoutATimelineTheLauncherSleeps) {
  const auto ran = driven("SYNCSNIFF_TEST_SAMPLER=1 run --timeline=off -q '" +
                          built("tests/clients/syncsniff_windowed_client") + "' 300");
  EXPECT_NE(ran.err.find("sampler: samples 0 rounds 0 processor_us 0"), std::string::npos) << ran.err;
}

// `> t.sstrace` while the program runs.
TEST_F(ShippedShimTest, AFileThatIsMadeUnderTheTracesNameIsNeitherCutNorReplaced) {
  const auto ran = driven("run -o t.sstrace sh -c \"" + client("wait_for_device") + "; echo mine > t.sstrace; exec " +
                          client("fill_trace") + "\"");
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_EQ(test::read_file(folder_ + "/t.sstrace"), "mine\n");
  EXPECT_NE(ran.err.find("t.sstrace was made by another program meanwhile: the trace is t.sstrace.2"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("scenarios.cpp:"), std::string::npos) << ran.err;
  EXPECT_EQ(run("report t.sstrace.2").status, 0);
}

TEST_F(ShippedShimTest, ATraceInUseCannotBeCutByItsName) {
  const auto ran =
      driven("run -o t.sstrace sh -c \"" + client("long_waits") + " & sleep 0.5; : > t.sstrace; wait \\$!\"");
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_EQ(test::read_file(folder_ + "/t.sstrace"), "");
  EXPECT_EQ(run("report t.sstrace.2").status, 0);
}

TEST_F(ShippedShimTest, AKilledProgramsTraceIsTrimmed) {
  EXPECT_EQ(driven("run -q -o t.sstrace " + client("killed")).status, 128 + SIGKILL);
  EXPECT_EQ(test::read_file(folder_ + "/t.sstrace").size() % 65536, 4096u);
  EXPECT_LT(test::read_file(folder_ + "/t.sstrace").size(), size_t{1} << 20);
  EXPECT_NE(run("report t.sstrace").out.find("ended early"), std::string::npos);
}

TEST_F(ShippedShimTest, EachImageOfAProcessThatExecutesItselfIsNamed) {
  const auto ran = driven("run -o t.sstrace " + client("executes_itself"));
  EXPECT_EQ(ran.status, 7) << ran.err;
  const std::string found = test::shell("ls | wc -l", folder_).out;
  EXPECT_EQ(found, "3\n");
  size_t named = 0;
  for (size_t at = 0; (at = ran.err.find("note: `syncsniff report t.sstrace", at)) != std::string::npos; ++at) ++named;
  EXPECT_EQ(named, 3u) << "each of the other two, and all of them: " << ran.err;
  EXPECT_NE(run("report t.sstrace")
                .out.find("note: there are more traces of this name; if they are of one run, `syncsniff report"),
            std::string::npos);
}

TEST_F(ShippedShimTest, AProcessKilledBeforeItsHeaderIsTold) {
  const auto ran = driven("run -o t.sstrace sh -c ': > $SYNCSNIFF_TRACE_FOLDER/t.sstrace; kill -KILL $$'");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("note: t.sstrace: its process was ended before it had started the trace"), std::string::npos)
      << ran.err;
}

TEST_F(ShippedShimTest, WhyNothingWasRecordedIsSaid) {
  const auto ran = driven("run -o t.sstrace sh -c 'ulimit -f 800; exec " + client("wait_for_stream") + "'");
  EXPECT_NE(ran.err.find(" recorded nothing: the file size limit (ulimit -f) leaves no room"), std::string::npos)
      << ran.err;
  EXPECT_EQ(names(), "");
}

TEST_F(ShippedShimTest, AProcessThatStillRunsKeepsItsTrace) {
  const auto ran = driven("run -o t.sstrace sh -c 'sh -c \"" + client("long_waits") +
                          "\" >/dev/null 2>&1 & sleep 0.4; " + client("wait_for_device") +
                          "'; ls -d .t.sstrace.*; until [ -z \"$(pgrep -f 'long_waits$')\" ]; do sleep 0.1; done");
  EXPECT_NE(ran.err.find("still runs, and writes its trace at .t.sstrace."), std::string::npos) << ran.err;
  const size_t at = ran.err.find("writes its trace at ") + 20;
  const std::string path = ran.err.substr(at, ran.err.find('\n', at) - at);
  const auto report = run("report " + path);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.out.find("counted at scenarios.cpp:"), std::string::npos) << report.out;
}

TEST_F(ShippedShimTest, ALauncherThatIsKilledLeavesTheTraceInItsFolder) {
  const auto ran = driven("'" INSTRUMENT "' run -o t.sstrace " + client("long_waits") +
                          " & pid=$!; sleep 0.5; kill -KILL $pid; wait $pid; sleep 1.2; ls .t.sstrace.*/t.sstrace");
  EXPECT_EQ(ran.out.rfind(".t.sstrace."), ran.out.find(".t.sstrace.")) << ran.out;
  const std::string path = ran.out.substr(ran.out.find(".t.sstrace."));
  EXPECT_EQ(run("report " + path).status, 0) << path;
}

TEST_F(ShippedShimTest, AStackOf64KiBIsEnoughForTheLauncher) {
  const auto ran = driven("ulimit -s 64; run -o t.sstrace " + client("wait_for_stream"));
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_NE(ran.err.find("cudaStreamSynchronize"), std::string::npos) << ran.err;
}

TEST_F(ShippedShimTest, SecretsOfTheCommandLineAreMaskedUnlessAskedFor) {
  const std::string program = client("wait_for_stream") + " --api-key=abc123 hf_abcdefghijklmnopqrst";
  driven("run -q -o masked.sstrace " + program);
  driven("run -q --full-command-line -o full.sstrace " + program);
  const std::string masked = test::read_file(folder_ + "/masked.sstrace");
  EXPECT_EQ(masked.find("abc123"), std::string::npos);
  EXPECT_EQ(masked.find("hf_abc"), std::string::npos);
  EXPECT_NE(run("dump masked.sstrace").out.find("wait_for_stream\\x00--api-key=***\\x00***\""), std::string::npos);
  EXPECT_NE(run("dump full.sstrace").out.find("\\x00--api-key=abc123\\x00hf_abcdefghijklmnopqrst\""),
            std::string::npos);
}

TEST_F(ShippedShimTest, WaitsOfAHandlerWithinAnotherCallAreTold) {
  driven("FAKE_CUDA_KERNEL_US=300 FAKE_CUDA_COUNT=0 run -q -o t.sstrace " + client("handler_waits"));
  EXPECT_NE(run("report t.sstrace --format=json").out.find("waits and 0 launches and copies were made by signal"),
            std::string::npos);
}

TEST_F(ShippedShimTest, BytesThatAreSentAgainAreToldByLine) {
  const auto ran = driven("export FAKE_CUDA_COPY_US=40; run --timeline=full -o t.sstrace " + client("sends_each_step"));
  EXPECT_EQ(ran.status, 7) << ran.err;
  const size_t at = ran.err.find("\nSent to the GPU again unchanged, judging by samples of the bytes:\n    ");
  ASSERT_NE(at, std::string::npos) << ran.err;
  std::string told = ran.err.substr(at, ran.err.find("\nnote: ") - at);
  std::replace(told.begin(), told.end(), '\n', ' ');
  told = std::regex_replace(told, std::regex(" +"), " ");
  EXPECT_NE(told.find("cudaMemcpyAsync from pageable memory: 4.19 MB a step, "), std::string::npos) << told;
  EXPECT_NE(told.find("keep it on the device, which takes 1.05 MB there, and send only"), std::string::npos) << told;
  EXPECT_EQ(told.find("MB", told.find("there, and")), std::string::npos) << "the line whose bytes change is not told";
  EXPECT_EQ(driven("run --timeline=off " + client("sends_each_step")).err.find("Sent to the GPU again"),
            std::string::npos);
}

}  // namespace
}  // namespace syncsniff
