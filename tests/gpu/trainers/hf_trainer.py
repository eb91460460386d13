"""A small GPT-2 under transformers' Trainer, logging every step. Argument: steps."""
import os
import sys

os.environ.setdefault("WANDB_DISABLED", "true")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

import truth


class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 4096

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        ids = torch.randint(0, 1000, (64,), generator=generator)
        return {"input_ids": ids, "labels": ids}


class Ticks(TrainerCallback):
    def on_step_begin(self, *arguments, **named):
        truth.tick()


def main():
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_head=4, n_embd=128, vocab_size=1000, n_positions=64))
    arguments = TrainingArguments(
        output_dir="/tmp/hf_out", max_steps=int(sys.argv[1]) if len(sys.argv) > 1 else 300, logging_steps=1,
        per_device_train_batch_size=8, save_strategy="no", report_to=[], disable_tqdm=True)
    trainer = Trainer(model=model, args=arguments, train_dataset=Tokens(), callbacks=[Ticks()])
    result = trainer.train()
    print(f"loss {result.training_loss:.9g}")


main()
