"""Runs one command under a bound of time and memory and says what went wrong, by the contract of every syncsniff command:
it ends by itself, with status 0, 1 or 2; 2 comes with a reason on standard error; nothing that it started outlives it."""
import collections
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

BAD = ("crashes", "hangs", "over memory", "wrong statuses", "refusals without a reason", "failed units not named",
       "wrong findings", "processes left")
GOOD = ("runs", "ok", "findings", "clean refusals", "failed units named", "units that crashed", "units over a bound")
SANITIZER = re.compile(r"ERROR: \w*Sanitizer|runtime error: |SUMMARY: \w+Sanitizer")

live = set()  # sessions of the commands under way
starting = threading.RLock()  # held while one is started, and for good by stop()

Result = collections.namedtuple("Result", "status out err faults seconds megabytes")


def processes_of(session):
    """(pid, resident bytes) of each live process of the session, zombies left out."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            found.append((int(name), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")))
    return found


def end_session(session):
    for _ in range(50):
        left = processes_of(session)
        if not left:
            return
        for pid, _ in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def stop():
    """Ends what is under way and lets nothing new start: no terminal and no `timeout` reaches those sessions."""
    starting.acquire()
    for session in list(live):
        end_session(session)


def faults_of(status, err):
    """What is wrong with an end that came by itself."""
    if status < 0 or status > 128 or SANITIZER.search(err):
        return ["crashes"]
    if status not in (0, 1, 2):
        return ["wrong statuses"]
    if status == 2 and not re.search(r"^syncsniff: error: \S", err, re.MULTILINE):
        return ["refusals without a reason"]
    return []


def run(words, seconds, megabytes, cwd=None, environment=None):
    """Resident memory is watched, not RLIMIT_AS: a sanitized program maps terabytes that it never touches."""
    faults, peak, began = [], 0, time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with starting:
            child = subprocess.Popen(words, cwd=cwd, env={**os.environ, **(environment or {})},
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
            live.add(child.pid)
        while True:
            try:
                child.wait(0.2)
                break
            except subprocess.TimeoutExpired:
                peak = max(peak, sum(size for _, size in processes_of(child.pid)) >> 20)
            if time.monotonic() - began > seconds:
                faults = ["hangs"]
            elif peak > megabytes:
                faults = ["over memory"]
            if faults:
                end_session(child.pid)
                child.wait()
                break
        live.discard(child.pid)
        took = time.monotonic() - began
        if not faults and processes_of(child.pid):
            time.sleep(0.5)  # a worker that is told to end may need a moment
            if processes_of(child.pid):
                faults.append("processes left")
            end_session(child.pid)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    if faults in ([], ["processes left"]):
        faults += faults_of(child.returncode, texts[1])
    return Result(child.returncode, *texts, faults, took, peak)


class Tally:
    """Counts of one kind of input; keeps what failed."""

    def __init__(self, kind, keep):
        self.kind, self.keep = kind, keep
        self.counts = collections.Counter()
        self.lock = threading.Lock()

    def add(self, name, count=1):
        with self.lock:
            self.counts[name] += count

    def note(self, result):
        """Counts an end without faults."""
        self.add("runs")
        if result.faults:
            for fault in result.faults:
                self.add(fault)
        else:
            self.add(("ok", "findings", "clean refusals")[result.status])

    def save(self, name, paths, command, result):
        """Keeps the inputs with the command that failed on them, and says so."""
        folder = os.path.join(self.keep, self.kind, name)
        os.makedirs(folder, exist_ok=True)
        for path in paths:
            into = os.path.join(folder, os.path.basename(path))
            if os.path.isdir(path):
                shutil.copytree(path, into, symlinks=True, dirs_exist_ok=True, copy_function=copy_regular)
            else:
                copy_regular(path, into)
        with open(os.path.join(folder, "what-failed.txt"), "w") as file:
            file.write(f"{' '.join(command)}\nfaults: {', '.join(result.faults)}; status {result.status}; "
                       f"{result.seconds:.1f} s; {result.megabytes} MB\n\n{result.err[-20000:]}")
        print(f"{self.kind}: {', '.join(result.faults)} (status {result.status}): {folder}", flush=True)

    def keep_input(self, path, why):
        """A unit that the command survived and named, for whoever mends what it met."""
        folder = os.path.join(self.keep, self.kind, "contained")
        os.makedirs(folder, exist_ok=True)
        shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))
        print(f"{self.kind}: contained: {os.path.join(folder, os.path.basename(path))}: {why}", flush=True)

    def failed(self):
        return any(self.counts[name] for name in BAD)

    def print(self):
        print(f"{self.kind}:")
        for name in GOOD + BAD:
            if self.counts[name] or name in ("runs",) + BAD:
                print(f"  {name:<28}{self.counts[name]:>7}{'  <-- bad' if name in BAD and self.counts[name] else ''}")


def copy_regular(source, target):
    """A FIFO would wait for a writer for ever."""
    if os.path.isfile(source):
        shutil.copyfile(source, target)
    return target
