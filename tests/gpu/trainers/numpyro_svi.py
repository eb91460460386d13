"""Variational inference in numpyro: seconds of start-up, then steps of 0.3 ms, each one graph. Argument: steps."""
import sys
import jax
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal
import truth


def model(x, y=None):
    with numpyro.plate("features", x.shape[1]):
        w = numpyro.sample("w", dist.Normal(0, 1))
    sigma = numpyro.sample("sigma", dist.HalfNormal(1))
    numpyro.sample("y", dist.Normal(x @ w, sigma), obs=y)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    x = jax.random.normal(jax.random.PRNGKey(0), (2000, 32))
    y = x @ jax.random.normal(jax.random.PRNGKey(1), (32,)) + 0.1 * jax.random.normal(jax.random.PRNGKey(2), (2000,))
    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.01), Trace_ELBO())
    state = svi.init(jax.random.PRNGKey(3), x, y)
    update = jax.jit(svi.update)
    losses = []
    for step in range(steps):
        truth.tick()
        state, loss = update(state, x, y)
        losses.append(float(loss))
        if step % 500 == 0:
            print(f"step {step} loss {losses[-1]:.9g}", flush=True)


main()
