"""A ResNet-18 of torchvision under accelerate, images made by two loader workers. Argument: steps."""
import sys

import torch
import torchvision
from accelerate import Accelerator

import truth


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 64 * 1000

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        return torch.rand(3, 64, 64, generator=generator), index % 10


def main():
    torch.manual_seed(0)
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    accelerator = Accelerator()
    model = torchvision.models.resnet18(num_classes=10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loader = torch.utils.data.DataLoader(Images(), batch_size=64, num_workers=2)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, (images, labels) in enumerate(loader):
        if step == steps:
            break
        truth.tick()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        accelerator.backward(loss)
        optimizer.step()
        if step % 10 == 0:
            print(f"step {step} loss {loss.item():.6f}", flush=True)


main()
