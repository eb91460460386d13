"""An MLP under Lightning. Argument: steps."""
import logging
import sys
import warnings

import torch

warnings.filterwarnings("ignore")
try:
    import lightning as L
except ImportError:
    import pytorch_lightning as L

import truth


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(*[torch.nn.Linear(128, 128) for _ in range(6)], torch.nn.Linear(128, 1))

    def training_step(self, batch, index):
        truth.tick()
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-3)


logging.getLogger("lightning").setLevel(logging.ERROR)
L.seed_everything(0)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
data = torch.utils.data.TensorDataset(torch.randn(64 * 200, 128), torch.randn(64 * 200, 1))
loader = torch.utils.data.DataLoader(data, batch_size=64)
net = Net()
L.Trainer(max_steps=steps, max_epochs=-1, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False,
          enable_progress_bar=False, enable_model_summary=False).fit(net, loader)
print(f"loss {float(sum(p.double().sum() for p in net.parameters())):.12g}")
