"""Random numbers by address, not by history: uniform(seed, position, purpose, stream) is the same whenever it is asked.

So batching, speculation, resumption and cancelled neighbours never change what a seed draws. Philox 4x64 keyed by the
seed; position, purpose and stream are separate words of the counter.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What a draw decides. Draws of one position for different purposes are independent.

    TOKEN is the only draw of decoding. ACCEPT and RESIDUAL belong to the rejection rule, which `engine.speculation`
    explains and its tests compare with.
    """

    TOKEN = 0
    ACCEPT = 1
    RESIDUAL = 2


def uniform(seed: int, position: int, purpose: Purpose = Purpose.TOKEN, stream: int = 0) -> float:
    """A number in [0, 1) with 53 random bits. Seeds of any size count modulo 2**128.

    `stream` numbers the texts of one request, so that they are independent of each other.
    """
    counter = (stream % 2**64 << 192) + (int(purpose) << 128) + (position << 64)
    bits = np.random.Philox(key=seed % 2**128, counter=counter).random_raw()
    return int(bits >> 11) * 2.0**-53
