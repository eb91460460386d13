"""nan_is_reported.py, no_waits.py and busy_share.py on output that is known: what is wrong must fail."""
import contextlib
import io
import unittest

import busy_share
import nan_is_reported
import no_waits

LOSSES = "".join(f"step {step} loss 2.3 grad_sum 0.1\n" for step in range(0, 140, 10))


def good_run(losses=LOSSES, step=137, noticed=139, after="", status=1):
    output = f"{losses}step {step}: loss is not finite (told at step {noticed})\n{after}"
    return nan_is_reported.problems_of_good(status, output, 137)


class NanIsReported(unittest.TestCase):
    def test_told_some_steps_late(self):
        self.assertEqual(good_run(), [])
        self.assertEqual(good_run(noticed=142), [])

    def test_wrong_step_time_or_status(self):
        self.assertTrue(good_run(step=138))
        self.assertTrue(good_run(noticed=143))
        self.assertTrue(good_run(noticed=136))
        self.assertTrue(good_run(status=0))

    def test_missing_or_further_losses(self):
        self.assertTrue(good_run(losses=""))
        self.assertTrue(good_run(losses=LOSSES + "step 140 loss 2.3 grad_sum 0.1\n"))
        self.assertTrue(good_run(losses=LOSSES + "step 137 loss nan grad_sum 0.1\n"))
        self.assertTrue(good_run(after="final loss 2.3\n"))

    def test_no_report(self):
        self.assertTrue(nan_is_reported.problems_of_good(1, LOSSES, 137))
        self.assertTrue(nan_is_reported.problems_of_bad(1, LOSSES, 137))
        self.assertEqual(nan_is_reported.problems_of_bad(1, LOSSES + "step 137 loss is NaN\n", 137), [])


def site(api, calls, blocked_ns):
    return {"api": api, "file": "train.cu", "line": 5, "run": {"calls": calls, "blocked_ns": blocked_ns}}


class NoWaits(unittest.TestCase):
    def outcome(self, *sites):
        return no_waits.waits_in_steps({"sites": list(sites)}, 200)

    def test_set_up_and_end_may_wait(self):
        self.assertEqual(self.outcome(site("cuStreamSynchronize", 2, 9000000), site("cuMemAlloc_v2", 9, 900000)), [])
        self.assertEqual(self.outcome(site("cuEventQuery", 400, 0)), [])

    def test_steps_may_not(self):
        self.assertTrue(self.outcome(site("cuEventSynchronize", 190, 300000000)))
        self.assertTrue(self.outcome(site("cuEventQuery", 60, 2000)))


def dump_of(kind, *intervals):
    return "".join(f"gpu kind={kind} device=0 stream=7 correlation=1 begin={b} end={e} name=2\n" for b, e in intervals)


class BusyShare(unittest.TestCase):
    def outcome(self, device, prefetch):
        with contextlib.redirect_stdout(io.StringIO()):
            return busy_share.verdict(device, prefetch, 3.0)

    def test_end_effects_are_left_out(self):
        gpu = {"busy_ns": 900, "idle_ns": 600, "idle_by_cause": {"end effects": 500, "dependency": 100}}
        self.assertAlmostEqual(busy_share.busy_share({"steps": {"found": True}, "gpu": [gpu]}), 90.0)
        self.assertIsNone(busy_share.busy_share({"steps": {"found": False}, "gpu": [gpu]}))

    def test_copies_do_not_compute(self):
        kernels = dump_of("kernel", (0, 1), (100, 150), (200, 250), (240, 260), (260, 300))
        self.assertAlmostEqual(busy_share.computing_share(kernels), 75.0)  # of 100..300, 150..200 is not covered
        self.assertAlmostEqual(busy_share.computing_share(kernels + dump_of("copy", (150, 200))), 75.0)
        self.assertEqual(busy_share.computing_share("call api=1\n"), 0.0)

    def test_agreement(self):
        self.assertTrue(self.outcome({"busy": 98.0, "computing": 97.0}, {"busy": 97.0, "computing": 94.5}))
        self.assertFalse(self.outcome({"busy": 98.0, "computing": 97.0}, {"busy": 98.0, "computing": 93.5}))
        self.assertTrue(self.outcome({"busy": None, "computing": 97.0}, {"busy": 97.0, "computing": 97.0}))
        self.assertFalse(self.outcome({"busy": None, "computing": 97.0}, {"busy": None, "computing": 93.0}))
        self.assertFalse(self.outcome({"busy": 0.0, "computing": 0.0}, {"busy": 0.0, "computing": 0.0}))


if __name__ == "__main__":
    unittest.main()
