"""A small transformer under torch.compile(mode="reduce-overhead"), whose start-up tries variants of kernels. Argument: steps."""
import sys
import torch
import torch.nn as nn
import torch.nn.functional as F
import truth


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.attn(self.n1(x)).view(b, t, 3, 4, d // 4).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d)
        x = x + self.out(y)
        return x + self.mlp(self.n2(x))


class Net(nn.Module):
    def __init__(self, d=256, depth=4, vocab=500):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        x = self.emb(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def main():
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    net = Net().cuda()
    model = torch.compile(net, mode="reduce-overhead")
    opt = torch.optim.AdamW(net.parameters(), lr=3e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    data = torch.randint(0, 500, (256, 16, 65))
    for step in range(steps):
        truth.tick()
        batch = data[step % len(data)].cuda()
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        loss.backward()
        opt.step()
        sched.step()
        opt.zero_grad()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.9g} lr {sched.get_last_lr()[0]:.3g}")
    print(f"last loss {loss.item():.9g}")


main()
