"""What windows cost is told from the steps of one process, whatever its speed is."""
import unittest

import window_cost


def steps(length_of):
    """Begins of two seconds of steps."""
    begins = [100.0]
    while begins[-1] < 102:
        begins.append(begins[-1] + length_of(begins[-1]))
    return begins


class WindowCost(unittest.TestCase):
    WINDOW = [(101.0, 101.06)]

    def test_even_steps_cost_nothing(self):
        share, near = window_cost.cost_of(steps(lambda at: 0.001), self.WINDOW)
        self.assertAlmostEqual(share, 0, places=6)
        self.assertAlmostEqual(near, 410, delta=3)

    def test_longer_steps_and_a_pause_near_a_window_are_its_cost(self):
        paused = []

        def length(at):
            if at > 100.98 and not paused:  # CUPTI comes
                return paused.append(at) or 0.015
            return 0.0015 if 101 < at < 101.06 else 0.001

        share, _ = window_cost.cost_of(steps(length), self.WINDOW)
        self.assertAlmostEqual(share, (0.014 + 0.02) / 1.95, delta=0.002)

    def test_a_slow_start_is_compared_with_what_is_near(self):
        share, _ = window_cost.cost_of(steps(lambda at: 0.001 if at > 100.2 else 0.004), [(101.5, 101.6)])
        self.assertAlmostEqual(share, 0, places=6)

    def test_without_steps_far_from_windows_nothing_is_told(self):
        self.assertIsNone(window_cost.cost_of(steps(lambda at: 0.001), [(99.0, 103.0)]))
        self.assertIsNone(window_cost.cost_of(steps(lambda at: 0.001), []))


if __name__ == "__main__":
    unittest.main()
