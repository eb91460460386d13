"""Builds syncsniff_kernels with PyTorch's own build helper: `pip install --no-build-isolation runtime/kernels/python`."""
import pathlib
import shutil
import sys

from setuptools import setup
from setuptools.command.sdist import sdist

try:
    from torch.utils.cpp_extension import BuildExtension, CUDAExtension
except ImportError:
    sys.exit("syncsniff_kernels is built against the PyTorch that is installed, and none is here: install PyTorch first, "
             "then pip install --no-build-isolation runtime/kernels/python")

HERE = pathlib.Path(__file__).resolve().parent
# In the repository the headers stand beside this folder, in a source distribution inside it.
INCLUDE = next((path for path in (HERE / "include", HERE.parent / "include") if path.is_dir()), None)
if INCLUDE is None:
    sys.exit(f"syncsniff_kernels: {HERE.parent / 'include'}: the kernels' headers are not there; take the whole folder "
             "runtime/kernels")


class SdistWithHeaders(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        shutil.copytree(INCLUDE, pathlib.Path(base_dir) / "include", dirs_exist_ok=True)


setup(
    name="syncsniff-kernels",
    version="0.1.0",
    license="Apache-2.0",
    description="Many-tensor kernels for PyTorch: one launch instead of one a tensor",
    packages=["syncsniff_kernels"],
    install_requires=["torch"],
    ext_modules=[
        CUDAExtension(
            "syncsniff_kernels._plan",
            ["csrc/plan.cu"],
            include_dirs=[str(INCLUDE)],
            # A library of torch.classes, not a Python module: it needs no Python header and fits every Python 3.
            py_limited_api=True,
            extra_compile_args={"nvcc": ["-O3"]},
        )
    ],
    cmdclass={"build_ext": BuildExtension.with_options(no_python_abi_suffix=True), "sdist": SdistWithHeaders},
)
