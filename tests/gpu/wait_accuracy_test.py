"""wait_accuracy.py on known figures: equal ones pass; a wrong time, a wrong count or a missing site does not."""
import contextlib
import io
import unittest

import wait_accuracy

TABLE = "step 0 loss 2.3\nwait /src/bad/train.cu:90 cudaMemcpy 100 200000000\nwait /src/bad/train.cu:91 cudaStreamSynchronize 100 150000\n"


def report(*sites):
    return {"sites": [{"file": f, "line": n, "run": {"calls": c, "blocked_ns": ns}} for f, n, c, ns in sites]}


class WaitAccuracy(unittest.TestCase):
    def outcome(self, *sites):
        with contextlib.redirect_stdout(io.StringIO()):
            return wait_accuracy.compare(wait_accuracy.read_table(TABLE), report(*sites), 5.0)

    def test_within_five_percent(self):
        self.assertEqual(self.outcome(("bad/train.cu", 90, 100, 195000000), ("bad/train.cu", 91, 100, 60000)), 0)

    def test_the_runtimes_own_share_of_a_short_wait_has_a_bound(self):
        self.assertEqual(self.outcome(("bad/train.cu", 90, 100, 195000000), ("bad/train.cu", 91, 100, 40000)), 1)

    def test_two_sites_of_one_line_add_up(self):
        self.assertEqual(self.outcome(("bad/train.cu", 90, 60, 100000000), ("bad/train.cu", 90, 40, 100000000),
                                      ("bad/train.cu", 91, 100, 150000)), 0)

    def test_wrong_time(self):
        self.assertEqual(self.outcome(("bad/train.cu", 90, 100, 180000000), ("bad/train.cu", 91, 100, 150000)), 1)

    def test_wrong_count(self):
        self.assertEqual(self.outcome(("bad/train.cu", 90, 99, 200000000), ("bad/train.cu", 91, 100, 150000)), 1)

    def test_missing_site_and_wrong_file(self):
        self.assertEqual(self.outcome(("bad/train.cu", 90, 100, 200000000)), 1)
        self.assertEqual(self.outcome(("good/train.cu", 90, 100, 200000000), ("bad/train.cu", 91, 100, 150000)), 1)


if __name__ == "__main__":
    unittest.main()
