"""A loader whose four workers are too slow and deliver their batches at once: three short steps, then a long one. Argument: steps."""
import sys
import time
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
import truth


class Photos(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.default_rng(i)
        image = rng.random((96, 96, 3), dtype=np.float32)
        for _ in range(12):  # "augmentation"
            image = np.clip(image * 1.01 + rng.normal(0, 0.01, image.shape), 0, 1).astype(np.float32)
        return torch.from_numpy(image).permute(2, 0, 1), int(i % 10)


def main():
    torch.manual_seed(0)
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    loader = DataLoader(Photos(steps * 16), batch_size=16, num_workers=4, shuffle=True, pin_memory=True)
    model = nn.Sequential(nn.Conv2d(3, 32, 5, 2), nn.ReLU(), nn.Conv2d(32, 64, 5, 2), nn.ReLU(),
                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    running = 0.0
    for i, (images, labels) in enumerate(loader):
        truth.tick()
        images = images.cuda(non_blocking=True)
        labels = labels.cuda(non_blocking=True)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
        if i % 25 == 24:
            print(f"[{i + 1}] loss {running / 25:.9g}", flush=True)
            running = 0.0


if __name__ == "__main__":
    main()
