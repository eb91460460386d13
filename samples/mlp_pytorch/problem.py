"""The model and the data of both trainers: the same numbers in every run."""
import argparse

import torch

ROWS, WIDTH, HIDDEN, LAYERS, CLASSES, BATCHES = 512, 4096, 1024, 6, 10, 4


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--print-every", type=int, default=10)
    return parser.parse_args()


def make_batches():
    generator = torch.Generator().manual_seed(17)
    patterns = torch.randn(CLASSES, WIDTH, generator=generator) * 0.1
    batches = []
    for _ in range(BATCHES):
        target = torch.randint(0, CLASSES, (ROWS,), generator=generator)
        batches.append((torch.randn(ROWS, WIDTH, generator=generator) + patterns[target], target))
    return batches


def make_model():
    torch.manual_seed(1)
    layers = []
    width = WIDTH
    for _ in range(LAYERS):
        layers += [torch.nn.Linear(width, HIDDEN), torch.nn.Tanh()]
        width = HIDDEN
    return torch.nn.Sequential(*layers, torch.nn.Linear(width, CLASSES)).cuda()
