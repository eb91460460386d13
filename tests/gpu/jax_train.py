"""A small deterministic JAX trainer: JAX waits through events and host callbacks, not through stream waits."""
import argparse
import os
import pathlib
import sys
import time

os.environ.setdefault("XLA_FLAGS", "--xla_gpu_deterministic_ops=true --xla_gpu_autotune_level=0")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp

sys.path.insert(0, str(pathlib.Path(__file__).parent / "trainers"))
import truth

WIDTHS = [2048, 1024, 1024, 1024, 10]


def make_parameters(key):
    keys = jax.random.split(key, len(WIDTHS) - 1)
    return [(jax.random.normal(k, (a, b)) / jnp.sqrt(a), jnp.zeros(b)) for k, a, b in zip(keys, WIDTHS, WIDTHS[1:])]


def loss_of(parameters, inputs, target):
    for weight, bias in parameters[:-1]:
        inputs = jnp.tanh(inputs @ weight + bias)
    weight, bias = parameters[-1]
    scores = jax.nn.log_softmax(inputs @ weight + bias)
    return -jnp.mean(jnp.take_along_axis(scores, target[:, None], axis=1))


@jax.jit
def train_step(parameters, inputs, target):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, inputs, target)
    return jax.tree.map(lambda p, g: p - 0.05 * g, parameters, gradients), loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rows", type=int, default=1024, help="in a batch; with 65536 the GPU sets the pace")
    arguments = parser.parse_args()
    key = jax.random.PRNGKey(0)
    parameters = make_parameters(key)
    inputs = jax.random.normal(jax.random.PRNGKey(1), (arguments.rows, WIDTHS[0]))
    target = jax.random.randint(jax.random.PRNGKey(2), (arguments.rows,), 0, WIDTHS[-1])
    parameters, loss = train_step(parameters, inputs, target)  # compiles
    loss.block_until_ready()
    begin = time.perf_counter()
    for step in range(arguments.steps):
        truth.tick()
        parameters, loss = train_step(parameters, inputs, target)
        value = float(loss)  # the stall: a read-back a step
        if step % 20 == 0:
            print(f"step {step} loss {value:.9g}")
    end = time.perf_counter()
    print(f"final loss {value:.9g}")
    print(f"ms_per_step {(end - begin) * 1e3 / arguments.steps:.4f}")


if __name__ == "__main__":
    main()
