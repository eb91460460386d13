"""A small GPT-2 that generates text and learns from its own reward: a step is hundreds of forward passes. Argument: steps."""
import sys
import torch
from transformers import GPT2Config, GPT2LMHeadModel
import truth
torch.manual_seed(0)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 25
model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_head=4, n_embd=256, vocab_size=5000, bos_token_id=1, eos_token_id=4999, pad_token_id=0)).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
for it in range(steps):
    truth.tick()
    prompt = torch.randint(2, 4000, (8, 8)).cuda()
    with torch.no_grad():
        out = model.generate(prompt, max_new_tokens=32, do_sample=True, attention_mask=torch.ones_like(prompt))
    reward = (out[:, 8:] % 7 == 0).float().mean(1)
    logits = model(out).logits[:, 7:-1]
    logp = torch.log_softmax(logits, -1).gather(-1, out[:, 8:, None]).squeeze(-1).sum(1)
    loss = -((reward - reward.mean()) * logp).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 5 == 0:
        print(f"step {it} reward {reward.mean().item():.6g}", flush=True)
