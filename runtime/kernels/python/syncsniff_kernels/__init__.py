"""Many-tensor operations in one launch, on PyTorch tensors; plan() takes anything that speaks DLPack (CuPy, JAX).

    plan = syncsniff_kernels.plan(parameters)           # once: sizes and addresses go to the device
    per_tensor, total = plan.l2_norm()                  # every step: one launch, results stay on the device
    plan.adamw_(gradients, means, squares, 1e-3, 0.9, 0.999, 1e-8, 1e-2, step)

The tensors are of float32, float16 or bfloat16, on one GPU, without holes in their memory. plan.update(tensors) takes
tensors of the same sizes that lie elsewhere; it waits for nothing. It and the lists of the other methods take
torch.Tensor alone: use as_tensor() on what else speaks DLPack. Errors are RuntimeError.
"""
import pathlib

import torch


def _load():
    here = pathlib.Path(__file__).resolve().parent
    for library in sorted(here.glob("_plan*.so")):
        torch.classes.load_library(str(library))
        return
    raise ImportError(f"{here} has no compiled _plan: install it with pip install --no-build-isolation "
                      "runtime/kernels/python")


_load()


def plan(tensors):
    """A plan of `tensors`: torch.Tensor or objects with __dlpack__. It keeps them alive.

    Set-up, not for the loop: it allocates and waits. Its methods: sum, mean, l2_norm, abs_max, any_nonfinite (each
    gives one value a tensor and one over all), zero_, scale_(factor), axpby_(a, other, b), clip_by_total_norm_(max),
    adamw_(gradients, means, squares, lr, beta1, beta2, eps, weight_decay, step),
    sgd_momentum_(gradients, velocities, lr, momentum, weight_decay, nesterov), update(tensors).
    """
    return torch.classes.syncsniff.Plan([as_tensor(tensor) for tensor in tensors])


def as_tensor(array):
    """The same memory as a torch.Tensor; raises TypeError for what is neither a tensor nor speaks DLPack."""
    if isinstance(array, torch.Tensor):
        return array.detach()
    if hasattr(array, "__dlpack__"):
        return torch.from_dlpack(array)
    raise TypeError(f"{type(array).__name__} is neither a torch.Tensor nor has __dlpack__")
