"""A small deterministic CuPy trainer: softmax regression with a hidden layer, gradients by hand."""
import argparse
import time

import cupy
import numpy

ROWS, WIDTH, HIDDEN, CLASSES, RATE = 2048, 1024, 2048, 10, numpy.float32(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    arguments = parser.parse_args()
    random = numpy.random.default_rng(5)
    host_input = random.standard_normal((ROWS, WIDTH), dtype=numpy.float32)
    host_target = random.integers(0, CLASSES, ROWS)
    w1 = cupy.asarray(random.standard_normal((WIDTH, HIDDEN), dtype=numpy.float32) / 32)
    w2 = cupy.asarray(random.standard_normal((HIDDEN, CLASSES), dtype=numpy.float32) / 45)
    one_hot = cupy.asarray(numpy.eye(CLASSES, dtype=numpy.float32)[host_target])
    for step in range(arguments.steps + 10):
        if step == 10:
            cupy.cuda.Device().synchronize()
            begin = time.perf_counter()
        inputs = cupy.asarray(host_input)  # the stall: a pageable copy a step
        hidden = cupy.tanh(inputs @ w1)
        scores = hidden @ w2
        scores -= scores.max(axis=1, keepdims=True)
        probabilities = cupy.exp(scores)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        loss = -(one_hot * cupy.log(probabilities + numpy.float32(1e-12))).sum() / numpy.float32(ROWS)
        d_scores = (probabilities - one_hot) / numpy.float32(ROWS)
        d_hidden = (d_scores @ w2.T) * (1 - hidden * hidden)
        w2 -= RATE * (hidden.T @ d_scores)
        w1 -= RATE * (inputs.T @ d_hidden)
        value = float(loss)  # the stall: a read-back a step
        if step % 20 == 0:
            print(f"step {step} loss {value:.9g}")
    end = time.perf_counter()
    print(f"final loss {value:.9g}")
    print(f"ms_per_step {(end - begin) * 1e3 / arguments.steps:.4f}")


if __name__ == "__main__":
    main()
