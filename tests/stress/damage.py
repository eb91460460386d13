"""Damage to bytes of any kind: what a bad disk, a cut download, a merge gone wrong or an editor in the wrong mode leaves."""


def flip(rng, data):
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8, 64])):
        if out:
            out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def cut(rng, data):
    return data[:rng.randrange(len(data) + 1)]


def extend(rng, data):
    return data + rng.choice([rng.randbytes(rng.choice([1, 7, 4096])), b"\0" * 65536, data, data[:len(data) // 2]])


def erase(rng, data):
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice([1, 3, 40, 4096]):]


def insert(rng, data):
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice([b"\0", b"\xff\xfe", b"\xf0\x9f\x92\xa5", b"\x1b[2J", b"\n" * 1000,
                                   rng.randbytes(16)]) + data[at:]


def zero(rng, data):
    at = rng.randrange(len(data) + 1)
    size = min(rng.choice([1, 8, 512, 4096]), len(data) - at)
    return data[:at] + b"\0" * size + data[at + size:]


def swap_blocks(rng, data):
    size = rng.choice([16, 512, 4096])
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:a] + data[b:b + size] + data[a + size:b] + data[a:a + size] + data[b + size:]


def extreme_integer(rng, data):
    """A field of a binary header that says far too much, too little, or something negative."""
    width = rng.choice([2, 4, 8])
    at = rng.randrange(max(1, len(data) - width)) // width * width
    value = rng.choice([0, 1, 2 ** (8 * width) - 1, 2 ** (8 * width - 1), 2 ** (8 * width - 1) - 1, 0x7fffffff])
    return data[:at] + (value % 2 ** (8 * width)).to_bytes(width, "little") + data[at + width:]


def empty(_rng, _data):
    return b""


ANY = [flip, cut, extend, erase, insert, zero, swap_blocks, empty]
BINARY = ANY + [extreme_integer] * 4


def of_lines(rng, data):
    """Lines lost, doubled, moved or repeated: the damage that suits a text read line by line."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at = rng.randrange(len(lines))
    how = rng.randrange(5)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(rng.randrange(len(lines)), lines[at])
    elif how == 2:
        lines[at:at] = [lines[at]] * rng.choice([100, 20000])
    elif how == 3:
        part = lines[at:at + 20]
        rng.shuffle(part)
        lines[at:at + 20] = part
    else:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    return b"".join(lines)
