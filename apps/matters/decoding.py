"""Bytes of a text file to text: UTF-8 with or without BOM, UTF-16 with BOM, GB18030 (GBK, GB2312).

GB18030 decodes nearly anything, Big5 and Shift JIS too, so it comes last and its result must look like Chinese text: of
the Han characters at least `FREQUENT_SHARE` are among the most frequent (published descriptions: 1 % in the rarest 300
characters, typically 25 %; misread ones: none).
"""

import codecs
import re

FEW_DAMAGED, DAMAGED_SHARE = 6, 0.01
COMMON = re.compile(r"[的一是在有和种于其所为该与或、，。：；\s\w]")
HAN = re.compile(r"[\u3400-\u9fff]")
FREQUENT, FREQUENT_SHARE, ENOUGH = re.compile(r"[的一是在有和中为上与所以及于其可不大这来用到时]"), 0.005, 50
STRANGE = re.compile(r"[\x00-\x08\x0e-\x1f\ue000-\uf8ff\ufffd]")


class Undecodable(ValueError):
    """The argument is "binary" or "encoding"."""


def decode(data: bytes) -> tuple[str, int]:
    """The text, and how many characters were unreadable and replaced. Raises `Undecodable`."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16"), 0
        except UnicodeDecodeError as error:
            raise Undecodable("encoding") from error
    if b"\x00" in data:
        raise Undecodable("binary")
    try:
        return data.decode("utf-8-sig"), 0
    except UnicodeDecodeError:
        pass
    damaged = data.decode("utf-8-sig", errors="replace")
    if len(damaged) > 100 and (count := damaged.count("\ufffd")) <= max(FEW_DAMAGED, DAMAGED_SHARE * len(damaged)):
        return damaged, count
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError as error:
        raise Undecodable("encoding") from error
    if STRANGE.search(text) or len(COMMON.findall(text)) < 0.5 * len(text):
        raise Undecodable("encoding")
    han = len(HAN.findall(text))
    if han >= ENOUGH and len(FREQUENT.findall(text)) < FREQUENT_SHARE * han:
        raise Undecodable("encoding")
    return text, 0
