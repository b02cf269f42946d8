"""Rows over other vocabularies than byte-level BPE: SentencePiece's byte tokens beside equal pieces, and random ones."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Vocabulary
from tests.grammar.test_masks import FRAMES, PIECES, compare

CHARACTERS = sorted({char for char in "".join(PIECES)})
# Pieces before bytes, and every ASCII character twice: as a piece and as a byte token.
SENTENCEPIECE: list[bytes | None] = [None, None]
SENTENCEPIECE += [piece.encode() for piece in PIECES + CHARACTERS] + [bytes([i]) for i in range(128)]
SENTENCEPIECE += [bytes([i]) for i in range(256)]
EOS = (0, 1)
PARTS = st.one_of(
    st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=4).map(lambda chars: "".join(chars).encode()),
    st.binary(min_size=1, max_size=3),
    st.tuples(st.sampled_from(CHARACTERS), st.integers(1, 2)).map(lambda cut: cut[0].encode()[cut[1] :] or b" "),
)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(range(len(FRAMES))))
def test_rows_of_a_sentencepiece_vocabulary_equal_the_oracle(random, case):
    compare(random, case, SENTENCEPIECE, EOS, positions=30)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(range(len(FRAMES))), st.lists(PARTS, max_size=60))
def test_rows_of_a_random_vocabulary_equal_the_oracle(random, case, parts):
    compare(random, case, [None, None, *(bytes([i]) for i in range(256)), *parts], EOS, positions=25)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(range(len(FRAMES))))
def test_tokens_with_equal_bytes_are_allowed_together(random, case):
    grammar, rule, frame, max_chars = FRAMES[case]
    state = grammar.start(rule, Vocabulary(SENTENCEPIECE, EOS), frame, max_chars)
    ids: dict[bytes, list[int]] = {}
    for token, data in enumerate(SENTENCEPIECE):
        if data is not None:
            ids.setdefault(data, []).append(token)
    twins = [same for same in ids.values() if len(same) > 1]
    for _ in range(30):
        mask = state.mask()
        for same in twins:
            assert mask[same].all() == mask[same].any(), (state.text, state.partial, SENTENCEPIECE[same[0]])
        legal = [int(token) for token in np.flatnonzero(mask) if token not in EOS]
        if not legal:
            break
        state = state.advance(random.choice(legal))
