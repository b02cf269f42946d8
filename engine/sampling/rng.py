"""Random numbers by address, not by history: uniform(seed, position, purpose) is the same whenever it is asked.

So batching, speculation, resumption and cancelled neighbours never change what a seed draws. Philox 4x64 keyed by the
seed; position and purpose are separate words of the counter.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What a draw decides. Draws of one position for different purposes are independent."""

    TOKEN = 0
    ACCEPT = 1
    RESIDUAL = 2


def uniform(seed: int, position: int, purpose: Purpose = Purpose.TOKEN) -> float:
    """A number in [0, 1) with 53 random bits. Seeds of any size count modulo 2**128."""
    bits = np.random.Philox(key=seed % 2**128, counter=(int(purpose) << 128) + (position << 64)).random_raw()
    return int(bits >> 11) * 2.0**-53
