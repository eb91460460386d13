"""Builds syncsniff_kernels with PyTorch's own build helper: `pip install --no-build-isolation runtime/kernels/python`."""
import pathlib

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

HERE = pathlib.Path(__file__).resolve().parent

setup(
    name="syncsniff-kernels",
    version="0.1.0",
    description="Many-tensor kernels for PyTorch: one launch instead of one a tensor",
    packages=["syncsniff_kernels"],
    ext_modules=[
        CUDAExtension(
            "syncsniff_kernels._plan",
            ["csrc/plan.cu"],
            include_dirs=[str(HERE.parent / "include")],
            # A library of torch.classes, not a Python module: it needs no Python header and fits every Python 3.
            py_limited_api=True,
            extra_compile_args={"nvcc": ["-O3"]},
        )
    ],
    cmdclass={"build_ext": BuildExtension.with_options(no_python_abi_suffix=True)},
)
