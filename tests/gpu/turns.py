"""Runs two programs in turns on one machine: each is stopped while the other runs, so both meet the same noise.

A shared host is faster or slower by 15 % from one second to the next, and two runs one after the other differ by that.
Turns of a fraction of a second see the same host; what is left between the two is what the programs themselves do.
A time spent asleep passes while a program is stopped, and so does what it has left queued on the GPU: it is for
programs that work all the time. A process that leaves its program's session is not stopped with it.
"""
import codecs
import contextlib
import dataclasses
import os
import pty
import re
import selectors
import signal
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Outcome:
    returncode: int
    seconds: float | None  # its own running time between the two lines; None where they did not come
    output: str
    errors: str


class Runner:
    """One program. Its clock goes on only while it may run. Its output is a terminal, so that lines come as written."""

    def __init__(self, command, begin, end):
        self.begin_line, self.end_line = re.compile(begin), re.compile(end)
        self.output, self.rest = [], ""
        self.clock, self.resumed_at = 0.0, None
        self.began = self.ended = None
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.terminal, other_end = pty.openpty()
        try:
            # A session of its own, so that one signal stops all its processes.
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other_end, stderr=self.errors,
                                            start_new_session=True)
        except OSError:
            self.close()
            raise
        finally:
            os.close(other_end)
        self.signal(signal.SIGSTOP)

    def own_time(self):
        return self.clock + (time.monotonic() - self.resumed_at if self.resumed_at else 0.0)

    def take_line(self, line):
        self.output.append(line)
        if self.began is None and self.begin_line.search(line):
            self.began = self.own_time()
        elif self.began is not None and self.end_line.search(line):
            self.ended = self.own_time()

    def read(self):
        """False at the end of its output."""
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # EIO: nobody has the other end open
            data = b""
        *lines, self.rest = (self.rest + self.decoder.decode(data, final=not data)).split("\n")
        for line in lines:
            self.take_line(line.rstrip("\r"))
        if not data and self.rest:
            self.take_line(self.rest)
        return bool(data)

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def end(self):
        """Its children with it."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def run_for(self, seconds):
        """False once it has ended."""
        self.resumed_at = time.monotonic()
        stop_at = self.resumed_at + seconds
        self.signal(signal.SIGCONT)
        with selectors.DefaultSelector() as selector:
            selector.register(self.terminal, selectors.EVENT_READ)
            while (left := stop_at - time.monotonic()) > 0:
                if selector.select(min(left, 0.05)):
                    if not self.read():
                        self.process.wait()
                        return False
                elif self.process.poll() is not None:  # a child of it has the terminal, still
                    return False
        self.signal(signal.SIGSTOP)
        self.clock, self.resumed_at = self.own_time(), None
        return True

    def close(self):
        os.close(self.terminal)
        self.errors.close()

    def outcome(self):
        self.errors.seek(0)
        errors = self.errors.read()
        seconds = None if self.began is None or self.ended is None else self.ended - self.began
        return Outcome(self.process.returncode, seconds, "\n".join(self.output), errors)


def run_in_turns(commands, begin, end, turn_s):
    """Runs `commands` to their ends, one at a time, `turn_s` seconds a turn. One Outcome each.

    A program's time is counted from its first line that matches `begin` to its last that matches `end`.
    """
    runners = []
    try:
        for command in commands:
            runners.append(Runner(command, begin, end))
        running = list(runners)
        while running:
            running = [runner for runner in running if runner.run_for(turn_s)]
    finally:
        for runner in runners:
            runner.end()
        outcomes = [runner.outcome() for runner in runners]
        for runner in runners:
            runner.close()
    return outcomes
