"""A trainer that closes, passes on and reuses descriptors in the ways that Python's library knows; prints what its files
and children hold, which must be the same with and without a recorder."""
import ctypes
import hashlib
import multiprocessing
import os
import subprocess
import sys

FOLDER = sys.argv[1]


def at(name):
    return os.path.join(FOLDER, name)


def write_file(name, byte):
    with open(at(name), "wb") as file:
        file.write(byte * 500_000)


def work(name, pipe):
    os.closerange(pipe.fileno() + 1, 64)
    write_file(name, b"w")
    pipe.send(name)
    pipe.close()


def start_cuda():
    cuda = ctypes.CDLL("libcuda.so.1")
    stream = ctypes.c_void_p()
    assert cuda.cuInit(0) == 0
    assert cuda.cuStreamCreate(ctypes.byref(stream), 1) == 0
    return lambda times: [cuda.cuStreamSynchronize(stream) for _ in range(times)]


def main():
    wait = start_cuda()
    wait(10)
    os.closerange(3, 256)
    checkpoint = os.open(at("checkpoint"), os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.write(checkpoint, b"c" * 3_000_000)
    wait(20_000)
    with open(at("log"), "wb") as log:
        child = subprocess.Popen([sys.executable, "-c", "import os; os.write(1, b'child' * 1000)"], stdout=log, close_fds=True)
        assert child.wait() == 0
    for how in ("fork", "spawn", "forkserver"):
        context = multiprocessing.get_context(how)
        here, there = context.Pipe()
        process = context.Process(target=work, args=("by_" + how, there))
        process.start()
        there.close()
        assert here.recv() == "by_" + how
        here.close()
        process.join()
        assert process.exitcode == 0
        wait(5_000)
    os.dup2(checkpoint, 77)
    os.write(77, b"d" * 1000)


if __name__ == "__main__":
    main()
