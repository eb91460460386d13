"""Two programs of known work in turns: the ratio is the work's, and what goes wrong is seen."""
import os
import pty
import sys
import time
import unittest

import turns

WORK = """
print("step 0 loss 1")
total = 0
for i in range({count}):
    total += i * i
print("ms_per_step 1")
"""


def run(*counts, end="^ms_per_step "):
    return turns.run_in_turns([[sys.executable, "-c", WORK.format(count=count)] for count in counts], "^step ", end, 0.02)


def has_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:  # a chroot without /dev/pts
        return False
    return True


def is_sleeper(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return b"turns-test-sleeper" in file.read()
    except OSError:
        return False


@unittest.skipUnless(has_terminals(), "no pseudo-terminals here")
class Turns(unittest.TestCase):
    def test_each_one_s_own_time_counts(self):
        begin = time.monotonic()
        short, long = run(500_000, 8_000_000)  # far enough apart for any machine
        passed = time.monotonic() - begin
        self.assertEqual((short.returncode, long.returncode), (0, 0))
        self.assertGreater(long.seconds / short.seconds, 3)
        self.assertLess(short.seconds + long.seconds, passed)

    def test_output_is_kept(self):
        outcome, = run(1)
        self.assertEqual(outcome.output.splitlines(), ["step 0 loss 1", "ms_per_step 1"])

    def test_missing_line_is_no_time(self):
        outcome, = run(1, end="^never$")
        self.assertIsNone(outcome.seconds)

    def test_last_line_and_bad_bytes_are_kept(self):
        script = "import sys; sys.stdout.buffer.write(b'step 0\\nms_per_step \\xc3\\xa9 \\xff'); sys.exit(0)"
        outcome, = turns.run_in_turns([[sys.executable, "-c", script]], "^step ", "^ms_per_step ", 0.02)
        self.assertEqual(outcome.output, "step 0\nms_per_step \u00e9 \ufffd")
        self.assertIsNotNone(outcome.seconds)

    def test_nothing_is_left_when_one_cannot_start(self):
        sleeper = [sys.executable, "-c", "import time; time.sleep(60)", "turns-test-sleeper"]
        with self.assertRaises(FileNotFoundError):
            turns.run_in_turns([sleeper, ["/nonexistent/program"]], "^a", "^b", 0.02)
        left = [entry for entry in os.listdir("/proc") if entry.isdigit() and is_sleeper(entry)]
        self.assertEqual(left, [])

    def test_failure_is_told(self):
        failed, = turns.run_in_turns([[sys.executable, "-c", "import sys; sys.exit('out of luck')"]], "^a", "^b", 0.02)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("out of luck", failed.errors)


if __name__ == "__main__":
    unittest.main()
