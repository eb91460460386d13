"""The CI recipes, run as they stand in action.yml and docs/ci against a repository of this machine."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

from support import BUILD, HAS_ANALYZER, SOURCE, Installed, run

if not HAS_ANALYZER or not shutil.which("git"):
    print("skipped: needs the analyzer and git")
    sys.exit(77)

ANCHOR = "dim3(32), arguments, 0, stream);\n"
WAIT = "    cudaStreamSynchronize(stream);\n"
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(trainer LANGUAGES CXX)
add_executable(trainer main.cpp)
"""


def run_steps(path):
    """The `run: |` blocks of a file, in order, as a runner would start them."""
    blocks, lines = [], path.read_text().splitlines()
    for number, line in enumerate(lines):
        match = re.match(r"^(\s*)run: \|$", line)
        if match:
            body = []
            for below in lines[number + 1:]:
                if below.strip() and not below.startswith(match.group(1) + "  "):
                    break
                body.append(below.strip())
            blocks.append("\n".join(body))
    return blocks


def script_lines(path):
    """The lines of a GitLab job's `script:`."""
    text = path.read_text()
    return re.findall(r"^    - (.*)$", text[text.index("\n  script:"):text.index("\n  artifacts:")], re.M)


class Recipes(Installed):
    def setUp(self):
        super().setUp()
        self.repository = self.folder / "repository"
        self.repository.mkdir()
        self.write("CMakeLists.txt", PROJECT)
        self.write("step.h", (SOURCE / "tests/packaging/consumer/step.h").read_text())
        self.good = (SOURCE / "tests/packaging/consumer/overlaps/main.cpp").read_text().replace("../step.h", "step.h")
        self.bad = self.good.replace("i < 1000; ++i)\n", "i < 1000; ++i) {\n").replace(ANCHOR, ANCHOR + WAIT + "  }\n")
        self.assertNotEqual(self.bad, self.good)
        self.write("main.cpp", self.good)
        self.write(".gitignore", "/build/\n")
        self.git("init", "-q", "-b", "main")
        self.commit("begin")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")

    def write(self, name, text):
        (self.repository / name).write_text(text)

    def settings(self):
        path = os.pathsep.join([str(BUILD / "bin"), os.environ["PATH"]])
        return {"PATH": path, "HOME": self.folder, "XDG_CACHE_HOME": self.folder / "cache", "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_NAME": "tester", "GIT_AUTHOR_EMAIL": "tester@example.invalid",
                "GIT_COMMITTER_NAME": "tester", "GIT_COMMITTER_EMAIL": "tester@example.invalid"}

    def git(self, *words):
        run("git", *words, cwd=self.repository, **self.settings())

    def commit(self, message):
        self.git("add", ".")
        self.git("commit", "-q", "-m", message)

    def configure(self):
        run("cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", cwd=self.repository)

    def bash(self, code, status, **more):
        return run("bash", "-e", "-c", code, cwd=self.repository, status=status, **self.settings(), **more)

    def github_check(self, status, **more):
        self.configure()
        return self.bash(run_steps(SOURCE / "action.yml")[1], status, GITHUB_ACTION_PATH=SOURCE, GITHUB_ACTIONS="true",
                         SYNCSNIFF_SARIF=self.folder / "a.sarif", **more)

    def test_the_action_refuses_a_wait_and_takes_its_repair(self):
        self.write("main.cpp", self.bad)
        self.commit("wait in the loop")
        told = self.github_check(1, GITHUB_BASE_REF="main").stdout
        self.assertRegex(told, r"::warning file=main\.cpp,line=\d+")
        results = json.loads((self.folder / "a.sarif").read_text())["runs"][0]["results"]
        self.assertIn("sync-in-loop", [result["ruleId"] for result in results])
        self.assertEqual(self.github_check(0, SYNCSNIFF_FAIL_LEVEL="never").returncode, 0)
        self.write("main.cpp", self.good)
        self.commit("do not wait")
        self.github_check(0, GITHUB_BASE_REF="main")

    def test_a_wait_that_was_there_before_is_not_the_changes(self):
        self.write("main.cpp", self.bad)
        self.commit("an old wait")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.write("step.h", (self.repository / "step.h").read_text() + "int unrelated();\n")
        self.commit("something else")
        self.github_check(0, GITHUB_BASE_REF="main")
        self.github_check(1)
        run(SOURCE / "docs/ci/check-change.sh", "origin/main", cwd=self.repository, **self.settings())

    def test_what_is_missing_is_told(self):
        told = self.bash(run_steps(SOURCE / "action.yml")[1], 2, GITHUB_ACTION_PATH=SOURCE).stderr
        self.assertIn("build/compile_commands.json is missing; configure with", told)

    def test_the_action_installs_a_wheel(self):
        wheel = run(SOURCE / "scripts/build-wheel", "--build-dir", BUILD, "-o", self.folder / "dist").stdout.strip()
        added = self.folder / "path.txt"
        self.bash(run_steps(SOURCE / "action.yml")[0], 0, GITHUB_ACTION_PATH=SOURCE, PACKAGES=wheel, GITHUB_PATH=added)
        self.put_to_work(pathlib.Path(added.read_text().strip()) / "syncsniff")

    def test_the_gitlab_job_and_the_plain_recipe(self):
        job = "\n".join(line for line in script_lines(SOURCE / "docs/ci/gitlab-ci.yml"))
        if not shutil.which("ninja"):
            job = job.replace("-G Ninja", "")
        self.assertEqual(job.count("syncsniff check"), 1)
        base, words = {"SYNCSNIFF_BASE": "origin/main"}, ["origin/main"]
        self.bash(job, 0, **base)
        run(SOURCE / "docs/ci/check-change.sh", *words, cwd=self.repository, **self.settings())
        self.write("main.cpp", self.bad)
        self.commit("wait in the loop")
        self.assertIn("[sync-in-loop]", self.bash(job, 1, **base).stdout)
        entries = json.loads((self.repository / "code-quality.json").read_text())
        self.assertIn("sync-in-loop", [entry["check_name"] for entry in entries])
        run(SOURCE / "docs/ci/check-change.sh", *words, cwd=self.repository, status=1, **self.settings())


if __name__ == "__main__":
    unittest.main()
