"""The kernels that a model can run on, and the choice among them by measurement on this machine, never by name.

`native`: the C kernel, 4- to 8-bit weights as stored, 8-bit activations per block. `w8a8`: FBGEMM int8. `fp32`: oneDNN,
the exact reference. Each is probed on one matrix of the model: whether it runs, whether a row's bits depend on the
other rows, and what one and eight rows cost.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from engine.kernels.invariance import linear_is_invariant
from engine.kernels.linear import Linear

KERNELS = ("native", "w8a8", "fp32")
AUTOMATIC = ("native", "w8a8")
"""What is chosen from when no kernel is asked for: fp32 needs more memory than the models' files suggest."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Probe:
    """`reason` says why a kernel cannot run here, or is empty. Seconds are of one call with 1 and with 8 rows."""

    kernel: str
    reason: str = ""
    exact: bool = False
    one_row: float = float("inf")
    eight_rows: float = float("inf")


def probe(kernel: str, make: Callable[[str], Linear], width: int) -> Probe:
    """`make` gives the probed linear layer `[*, width]` in a kernel."""
    try:
        linear = make(kernel)
        exact = linear_is_invariant(linear, width)
        return Probe(kernel, "", exact, _seconds(linear, 1, width), _seconds(linear, 8, width))
    except (RuntimeError, ValueError) as error:
        return Probe(kernel, str(error))


def choose(make: Callable[[str], Linear], width: int, unfit: Mapping[str, str]) -> tuple[str, list[Probe]]:
    """The fastest kernel that is exact, or the fastest of all where none is; one row and eight rows count alike.

    `unfit` says of kernels why they cannot run the model.
    """
    probes = [
        Probe(kernel, unfit[kernel]) if unfit.get(kernel) else probe(kernel, make, width) for kernel in AUTOMATIC
    ]
    able = [found for found in probes if not found.reason]
    for found in probes:
        if found.reason:
            log.warning("kernel %s: %s", found.kernel, found.reason)
    if not able:
        return "fp32", probes
    best = min(able, key=lambda found: (not found.exact, found.one_row + found.eight_rows))
    return best.kernel, probes


@torch.inference_mode()
def _seconds(linear: Linear, rows: int, width: int, repeats: int = 15) -> float:
    x = torch.randn(rows, width, generator=torch.Generator().manual_seed(rows))
    spent = []
    for _ in range(repeats):
        start = time.perf_counter()
        linear(x)
        spent.append(time.perf_counter() - start)
    return min(spent)
