"""The README tells the truth: its set-up and test commands are the ones CI runs, its other commands run here, and what
it names exists."""

import os
import re
import shlex
import signal
import subprocess
import urllib.request
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


# The commands


COMMAND = re.compile(r"(?:make|\.venv/bin/python|python) \S.*")
SHOWN = re.compile(r"```sh\n(.*?)```|`([^`\n]+)`", re.S)


def commands(name) -> list[str]:
    """Every command line that stands in a code block or in inline code, with the placeholders of the English one."""
    text = read(name).replace("文件`", "FILE`").replace(" 文件\n", " FILE\n").replace(" 名称`", " NAME`")
    lines = [line for block, inline in SHOWN.findall(text) for line in (block or inline).splitlines()]
    return list(dict.fromkeys(line.strip() for line in lines if COMMAND.fullmatch(line.strip())))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder where the commands find what they name and leave what they make, and the environment they run in."""
    if not (ROOT / ".venv/bin/python").exists():
        pytest.skip("no .venv; make setup makes it")
    folder = tmp_path_factory.mktemp("readme")
    for name in ("manage.py", "examples", ".venv", "Makefile", "constraints.txt"):
        (folder / name).symlink_to(ROOT / name)
    text = folder / "text"
    text.write_text(read("examples/01-mechanism.md"), "utf-8")
    environment = {
        **os.environ, "CLAIMWRIGHT_VAR": str(folder / "var"), "DATABASE_URL": "", "PYTHONPATH": str(ROOT),
        "CLAIMWRIGHT_ENGINE": "tests.drafting.engines.scripted", "CLAIMWRIGHT_TEST_TEXT": str(text),
    }  # fmt: skip
    return folder, environment


def run(place, command: str) -> str:
    folder, environment = place
    argv = shlex.split(command)
    argv[0] = str(folder / ".venv/bin/python") if argv[0].endswith("python") else argv[0]
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def demo(place, command: str) -> None:
    """Runs until it has told its address, answers there, and ends at Ctrl-C."""
    folder, environment = place
    with subprocess.Popen(
        command.split(), cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            url = next(found[0] for line in process.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+/", line)))
            with urllib.request.urlopen(url, timeout=20) as answer:
                assert answer.status == 200 and "/accounts/login/" in answer.url
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(30)
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=5)


def draft(place, command: str) -> None:
    """With the scripted engine: what the language model makes of it is tests/drafting/test_first_light.py."""
    run(place, command)
    made = {path.name for path in (place[0] / "out").iterdir()}
    assert made == {"claims.json", "filing.json", "filing.docx", "report.html"}


def check_claims(place, command: str) -> None:
    path = place[0] / "claims.txt"
    path.write_text("1. 一种泵，包括壳体，其特征在于，所述壳体内设有叶轮。", "utf-8")
    run(place, command.replace("FILE", str(path)))


def api_token(place, command: str) -> None:
    for needed in ("migrate --verbosity 0", "seed_demo"):
        run(place, f".venv/bin/python manage.py {needed}")
    assert run(place, command).startswith("cw_")


def fetch(place, command: str) -> None:
    """Of a model that is here already: nothing is downloaded, the file is checked."""
    from engine.loading.registry import registry, store

    here = next((entry.name for entry in registry().values() if (store() / entry.file).is_file()), None)
    if here is None:
        pytest.skip("no language model here; make setup fetches it")
    run(place, command.replace("NAME", here))


def benchmark(place, command: str) -> None:
    """Its options are understood; a whole run takes minutes on the language model."""
    assert "--json" in run(place, command.replace("--json", "--help"))


RUNS = {
    r"make (setup|test)": None,  # exactly what CI runs, see above
    r"make demo": demo,
    r"\.venv/bin/python manage\.py draft examples/01-mechanism\.md --out out": draft,
    r"\.venv/bin/python manage\.py check_claims FILE": check_claims,
    r"\.venv/bin/python manage\.py api_token demo": api_token,
    r"python -m engine\.loading fetch NAME": fetch,
    r"python -m benchmarks\.\w+ --json": benchmark,
}


def runner(command: str):
    (found,) = [how for pattern, how in RUNS.items() if re.fullmatch(pattern, command)]
    return found


def test_both_readmes_show_the_same_commands():
    assert sorted(commands("README.md")) == sorted(commands("README.zh.md"))
    assert len(commands("README.md")) >= len(RUNS)


@pytest.mark.parametrize("command", [command for command in commands("README.md") if runner(command)])
def test_command(place, command):
    runner(command)(place, command)
