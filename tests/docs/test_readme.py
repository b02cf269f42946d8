"""The README tells the truth: its set-up and test commands are the ones CI runs, and what it names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READMES = ["README.md", "README.zh.md"]
BLOCK = re.compile(r"<!-- test:start -->\n```sh\n(.*?)```\n<!-- test:end -->", re.S)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def ci_commands():
    """The lines of .ci/run after its last blank line: what remains when packages and services are there."""
    return read(".ci/run").rstrip("\n").split("\n\n")[-1].splitlines()


def test_ci_runs_exactly_the_block_of_each_readme():
    for name in READMES:
        blocks = BLOCK.findall(read(name))
        assert [block.splitlines() for block in blocks] == [ci_commands()]
    assert ci_commands() == ["make setup", "make test"]


@pytest.mark.parametrize("name", READMES)
def test_every_make_target_named_exists(name):
    targets = set(re.findall(r"^([a-z_-]+):", read("Makefile"), re.M))
    assert set(re.findall(r"\bmake ([a-z_-]+)", "".join(code(name)))) <= targets


def code(name):
    """Fenced blocks and inline code, where commands stand."""
    return re.findall(r"```.*?```|`[^`\n]+`", read(name), re.S)


@pytest.mark.parametrize("name", [*READMES, "Makefile"])
def test_every_management_command_named_exists(name):
    from django.core.management import get_commands

    named = set(re.findall(r"manage\.py ([a-z_]+)", read(name)))
    assert named <= set(get_commands()) | {"help"}


@pytest.mark.parametrize("name", READMES)
def test_every_repository_path_named_exists(name):
    paths = re.findall(r"[(`]((?:engine|apps|grammars|examples|tools|docs|\.ci)/[\w./-]*)[)`]", read(name))
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert paths and not missing


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.md")), ids=lambda path: path.name)
def test_examples_are_complete_disclosures(example):
    text = example.read_text(encoding="utf-8")
    headings = re.findall(r"^## [一二三四五]、(.+)$", text, re.M)
    assert headings == ["技术领域", "背景技术", "技术方案", "有益效果", "附图说明"]
    assert 600 <= len(text) <= 2000
