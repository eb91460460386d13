// What `syncsniff run`, `report` and `undump` refuse, in one line each and before the program is started.
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

using namespace std::string_literals;

TEST_F(LauncherTest, FaultsBeforeTheStart) {
  expect_error("run", "no command given");
  expect_error("run --nonsense true", "--nonsense: no such option");
  expect_error("run --timelin=off true", "--timelin=off: no such option; did you mean '--timeline'?");
  expect_error("run --timeline=maybe true", "use windows, full or off");
  expect_error("run --budget=none true", "--budget=none: use a percentage above 0");
  expect_error("run --budget=0 true", "up to 100");
  expect_error("run -o", "--output: 1 required TRACE missing; see `syncsniff run --help`");
  expect_error("run --quiet=no true", "--quiet: takes no value");
  expect_error("run --report-file= true", "--report-file=: the value is empty");
  expect_error("run -qx true", "-x: no such option");
  expect_error("run no-such-program", "no-such-program: command not found");
  expect_error("run ./nothing-here", "./nothing-here: no such file");
  expect_error("run .", " .: is a directory");
  test::shell("mkdir -p folder/inner", folder_);
  expect_error("run folder", "folder: is a directory");
  expect_error("run ./folder", "./folder: is a directory");
  test::write_file(folder_ + "/plain.txt", "x");
  expect_error("run ./plain.txt", "not executable");
  expect_error(std::string("run '") + STATIC_PROGRAM + "'", "statically linked");
  test::shell("cp /bin/true suid; chmod 4755 suid; cp /bin/true sgid; chmod 2755 sgid", folder_);
  expect_error("run ./suid", "setuid or setgid");
  expect_error("run ./sgid", "setuid or setgid");
  write_program("script", "#!/no/such/interpreter\n");
  expect_error("run ./script", "its interpreter /no/such/interpreter is missing");
  std::string foreign = test::read_file("/bin/true");
  foreign[18] = static_cast<char>(183);  // aarch64
  write_program("foreign", foreign);
  expect_error("run ./foreign", "not an x86-64 program");
  expect_error("run -o nowhere/t.sstrace true", "nowhere: no such folder");
  expect_error("run -o given.sstrace true", "exists already");
}

TEST_F(LauncherTest, AFileThatIsNoProgramIsNotGivenToAShell) {
  for (const size_t bytes : {50, 100}) {
    write_program("truncated", test::read_file("/bin/true").substr(0, bytes));
    expect_error("run ./truncated", "./truncated: an ELF file that is cut off; build or copy the program again");
  }
  write_program("noise", "\x01\x02 touch started\0\x7f\n"s);
  expect_error("run ./noise", "./noise: neither a program nor a script; give the path of a program");
  // A shell's own file may hold anything after its first line.
  write_program("archive", "echo \"$1\"; exit 4\n\0\x01"s);
  const auto ran = run_cuda("run -q ./archive word");
  EXPECT_EQ(ran.out, "word\n");
  EXPECT_EQ(ran.status, 4);
}

TEST_F(LauncherTest, FindingsThatCannotBeReadSayWhyAndHowToWriteThem) {
  const std::string remedy = "; write it with `syncsniff check --format=json -o FILE`\n";
  const auto expect = [&](const std::string& text, const std::string& reason) {
    test::write_file(folder_ + "/f.json", text);
    expect_error("run --findings f.json touch started", "f.json: " + reason + remedy);
    expect_error("report given.sstrace --findings f.json", "f.json: " + reason + remedy);
  };
  expect("", "is empty");
  expect("{\"findings\": [", "is not whole: the JSON ends too early");
  expect("{\n\"findings\": oops}\n", "is not JSON: wrong at line 2");
  expect("{\"runs\": []}", "findings is missing");
  expect("{\"findings\": [{\"level\": 1}]}", "findings[0].rule is missing");
  expect_error("run --findings none.json true", "none.json: No such file or directory" + remedy);
  expect_error("run --findings /tmp true", "/tmp: is a directory" + remedy);
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0);
}

TEST_F(LauncherTest, AReportReplacesAnEarlierOneAndNothingElse) {
  test::write_file(folder_ + "/train.py", "import torch");
  test::write_file(folder_ + "/renamed", test::read_file(folder_ + "/given.sstrace"));
  mkdir((folder_ + "/sub").c_str(), 0700);
  expect_error("run --report-file train.py touch started", "train.py: is a source file, which no report replaces");
  expect_error("run --report-file given.sstrace touch started", "given.sstrace: is a trace, which no report replaces");
  expect_error("report --format=json:renamed given.sstrace", "renamed: is a trace, which no report replaces");
  expect_error("run --report-file sub touch started", "sub: is a directory");
  expect_error("run --report-file nowhere/r.txt touch started", "nowhere: no such folder");
  expect_error("run -o a.sstrace --report-file ./a.sstrace touch started", "named for the trace and for the report");
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0) << "the program was started";
  EXPECT_EQ(test::read_file(folder_ + "/train.py"), "import torch");
  test::write_file(folder_ + "/mine.txt", "precious");
  test::write_file(folder_ + "/dump.txt", run("dump given.sstrace").out);
  expect_error("undump dump.txt -o mine.txt", "mine.txt: exists already");
  EXPECT_EQ(test::read_file(folder_ + "/mine.txt"), "precious");
  EXPECT_EQ(run("undump dump.txt -o /dev/null").status, 0);
  // What the program wrote meanwhile is not replaced either; the report can still be had.
  const auto late = run_cuda("run -o b.sstrace --report-file late.txt sh -c 'echo own > late.txt'");
  EXPECT_EQ(late.status, 2);
  EXPECT_NE(late.err.find("late.txt: was written while the command ran"), std::string::npos) << late.err;
  EXPECT_NE(late.err.find("`syncsniff report b.sstrace`"), std::string::npos) << late.err;
  EXPECT_EQ(test::read_file(folder_ + "/late.txt"), "own\n");
  EXPECT_EQ(run_cuda("run -o c.sstrace --report-file new.txt true").status, 0);
  EXPECT_NE(test::read_file(folder_ + "/new.txt").find("train.cu:60"), std::string::npos);
  EXPECT_EQ(run("report --format=json:new.txt given.sstrace").status, 0);
  EXPECT_EQ(test::read_file(folder_ + "/new.txt"), run("report --format=json given.sstrace").out);
}

TEST_F(LauncherTest, WhatCannotBePrintedIsAnError) {
  for (const char* arguments :
       {"report given.sstrace", "report given.sstrace --format=json", "dump given.sstrace", "run --help"}) {
    const auto ran = run(std::string(arguments) + " >/dev/full");
    EXPECT_EQ(ran.status, 2) << arguments;
    EXPECT_EQ(ran.err.rfind("syncsniff: error: standard output: cannot be written", 0), 0u) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

}  // namespace
}  // namespace syncsniff
