"""From a row of logits to one token: legal tokens first, then processors in a fixed order, then a counter-based draw.

    token = choose(logits, mask, generated, Sampling(temperature=0.7, seed=1), position=12)
"""

from engine.sampling.choose import choose, distribution, logprobs
from engine.sampling.rng import Purpose, uniform

__all__ = ["Purpose", "choose", "distribution", "logprobs", "uniform"]
