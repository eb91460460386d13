"""A small vision transformer of timm with mixed precision, gradient clipping and a validation now and then. Argument: steps."""
import sys

import timm
import torch

import truth

torch.manual_seed(0)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
model = timm.create_model("vit_tiny_patch16_224", num_classes=10, img_size=96).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler()
images, labels = torch.rand(64, 3, 96, 96), torch.randint(0, 10, (64,))


def train_step():
    optimizer.zero_grad()
    with torch.autocast("cuda"):
        loss = torch.nn.functional.cross_entropy(model(images.cuda(non_blocking=True)), labels.cuda(non_blocking=True))
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    return loss


@torch.no_grad()
def validate():
    model.eval()
    correct = sum(int((model(images.cuda()).argmax(1).cpu() == labels).sum()) for _ in range(10))
    model.train()
    return correct


for step in range(steps):
    truth.tick()
    loss = train_step()
    if step % 100 == 99:
        print(f"validation {validate()}")
print(f"loss {loss.item():.9g}")
