"""JSON Schema: the compact documents that a schema admits, and keywords refused by name and pointer."""

import json

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grammar import Frame, Grammar, Vocabulary
from engine.grammar.findings import GrammarError
from engine.grammar.ir import Ref, walk
from engine.grammar.sources import read
from engine.grammar.sources.json_schema import compact
from tests.grammar.brute import fits


def schema_rules(schema):
    return read(json.dumps(schema, ensure_ascii=False), ".json")


def refusals(schema) -> list[tuple[str, str]]:
    text = schema if isinstance(schema, str) else json.dumps(schema)
    with pytest.raises(GrammarError) as caught:
        read(text, ".json")
    for finding in caught.value.findings:
        assert finding.text("en") and finding.text("zh") and finding.fix("en") and finding.fix("zh")
    return [(finding.code, str(finding.values.get("pointer", ""))) for finding in caught.value.findings]


STRINGS = st.text(st.sampled_from('ab"\\\n\x00一😀é'), max_size=4)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-12, 120), st.sampled_from([0.5, -1.25, 1e-7]), STRINGS
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.fixed_dictionaries({}, optional={n: inner for n in ("a", "b", "c")}),
    max_leaves=6,
)


def _object(parts):
    names = ("a", "b", "c")[: len(parts)]
    return {
        "type": "object",
        "properties": dict(zip(names, (schema for schema, _ in parts), strict=True)),
        "required": [name for name, (_, required) in zip(names, parts, strict=True) if required],
        "additionalProperties": False,
    }


def _array(items, low, more):
    return {"type": "array", "items": items, "minItems": low} | ({} if more is None else {"maxItems": low + more})


def _string(low, more):
    return {"type": "string", "minLength": low} | ({} if more is None else {"maxLength": low + more})


SCHEMAS = st.recursive(
    st.one_of(
        st.sampled_from(["null", "boolean", "integer", "number", "string"]).map(lambda kind: {"type": kind}),
        st.lists(st.sampled_from(["null", "boolean", "integer", "string"]), min_size=1, max_size=3, unique=True).map(
            lambda kinds: {"type": kinds}
        ),
        st.lists(LEAVES, min_size=1, max_size=3).map(lambda values: {"enum": values}),
        LEAVES.map(lambda value: {"const": value}),
        st.sampled_from(["^[a-b]{1,2}$", "^a", "b$", "a|^b$", ".", "^[^a]*$", '"', "^\\n?$", "^\\u4e00", "^(?:ab?)+$"]).map(
            lambda pattern: {"type": "string", "pattern": pattern}
        ),
        st.builds(_string, st.integers(0, 2), st.none() | st.integers(0, 2)),
    ),
    lambda inner: st.one_of(
        st.builds(_array, inner, st.integers(0, 2), st.none() | st.integers(0, 2)),
        st.lists(st.tuples(inner, st.booleans()), max_size=3).map(_object),
        st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches}),
    ),
    max_leaves=5,
)


def ordered(value):
    """Members in the order of the alphabet, which is that of the properties here."""
    if isinstance(value, dict):
        return {name: ordered(value[name]) for name in sorted(value)}
    return [ordered(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=300, deadline=None)
@given(SCHEMAS, st.lists(VALUES, min_size=4, max_size=12))
def test_a_document_fits_when_a_validator_accepts_it(schema, values):
    rules, validator = schema_rules(schema), jsonschema.Draft202012Validator(schema)
    for value in map(ordered, values):
        assert fits(rules, "root", compact(value)) == validator.is_valid(value), (schema, value)


@settings(max_examples=100, deadline=None)
@given(SCHEMAS, st.data())
def test_only_valid_documents_fit(schema, data):
    """A randomly edited text fits only when it still is a valid document."""
    rules, validator = schema_rules(schema), jsonschema.Draft202012Validator(schema)
    value = ordered(data.draw(VALUES))
    text = compact(value)
    at = data.draw(st.integers(0, len(text)))
    edited = text[:at] + data.draw(st.sampled_from(['"', ",", "1", "a", " ", "]", "}", ""])) + text[at + 1 :]
    if fits(rules, "root", edited):
        assert validator.is_valid(json.loads(edited))


def test_one_of_holds_exactly_when_its_branches_exclude_each_other():
    kinds = [
        {"type": "object", "properties": {"kind": {"const": kind}, "size": {"type": "integer"}}, "required": ["kind"]}
        for kind in ("pump", "valve")
    ]
    rules = schema_rules({"oneOf": [*kinds, {"type": "string"}, {"enum": [1, 2]}]})
    assert fits(rules, "root", '{"kind":"valve","size":3}') and fits(rules, "root", '"x"') and fits(rules, "root", "2")
    assert not fits(rules, "root", '{"kind":"hose"}')
    assert refusals({"oneOf": [{"type": "integer"}, {"type": "number"}]}) == [("one-of", "#/oneOf/1")]
    assert refusals({"oneOf": [{"enum": [1]}, {"enum": [1.0, 2]}]}) == [("one-of", "#/oneOf/1")]


def test_references_recursion_and_slots():
    rules = schema_rules(
        {
            "type": "object",
            "properties": {"part": {"$ref": "#/$defs/part"}, "name": {"type": "string", "slot": "SPAN"}},
            "required": ["part"],
            "$defs": {
                "part": {
                    "maxDepth": 2,
                    "type": "object",
                    "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/part"}}},
                }
            },
        }
    )
    assert rules.start == "root" and rules.slots == {"SPAN"} and rules.rule("part").max_depth == 2
    assert fits(rules, "root", '{"part":{"parts":[{},{"parts":[]}]}}')
    assert "SPAN" in {node.name for name in rules for node in walk(rules[name]) if isinstance(node, Ref)}


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_generated_document_is_valid(tmp_path_factory, random):
    """Recursion, optional members, counted arrays and escapes, decoded by a random sampler over single bytes."""
    schema = {
        "$defs": {"part": {**_object([({"type": "array", "items": {"$ref": "#/$defs/part"}, "maxItems": 2}, False)]), "maxDepth": 2}},
        **_object([({"$ref": "#/$defs/part"}, False), ({"type": "string", "maxLength": 3}, True), (_array({"type": "integer"}, 1, 2), False)]),
    }
    path = tmp_path_factory.mktemp("schema") / "schema.json"
    path.write_text(json.dumps(schema), "utf-8")
    vocabulary = Vocabulary([*(bytes([i]) for i in range(256)), None], [256])
    state = Grammar.load(path).start("root", vocabulary, Frame({}), max_chars=80)
    while not state.done:
        state = state.advance(int(random.choice(list(np.flatnonzero(state.mask())))))
    document = json.loads(state.text)
    jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)
    assert compact(document) == state.text and len(state.text) <= 80


def test_names_of_definitions_never_clash_with_the_root():
    rules = schema_rules({"$defs": {"root": {"const": 1}, "a/b": {"const": 2}}, "anyOf": [{"$ref": "#/$defs/root"}, {"$ref": "#/$defs/a~1b"}]})
    assert fits(rules, "root", "1") and fits(rules, "root", "2") and not fits(rules, "root", "3")


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"type": "string", "format": "date"}, "keyword", "#/format"),
        ({"type": "string", "contentEncoding": "base64"}, "keyword", "#/contentEncoding"),
        ({"type": "object", "properties": {"a/b": {"type": "integer", "minimum": 1}}}, "keyword", "#/properties/a~1b/minimum"),
        ({"type": "array", "items": {"type": "null"}, "uniqueItems": True}, "keyword", "#/uniqueItems"),
        ({"type": "array", "prefixItems": [{"type": "null"}]}, "keyword", "#/prefixItems"),
        ({"type": "object", "patternProperties": {}}, "keyword", "#/patternProperties"),
        ({"allOf": [{"type": "null"}]}, "keyword", "#/allOf"),
        ({"not": {"type": "null"}}, "keyword", "#/not"),
        ({"if": {"type": "null"}}, "keyword", "#/if"),
        ({"type": "null", "anyOf": [{"type": "null"}]}, "keyword", "#/type"),
        ({"const": "a", "minLength": 2}, "keyword", "#/minLength"),
        ({"type": "null", "unheard": 1}, "keyword", "#/unheard"),
        ({"type": "string", "maxDepth": 1, "items": {}}, "keyword", "#/items"),
        ({"type": "array", "items": {"type": "null", "$defs": {}}}, "keyword", "#/items/$defs"),
        ({"type": "string", "slot": "SPAN", "maxLength": 3}, "keyword", "#/maxLength"),
        ({"type": "string", "pattern": "a", "maxLength": 3}, "pattern-length", "#/maxLength"),
        ({"type": "string", "pattern": "^a*$", "minLength": 3}, "pattern-length", "#/minLength"),
        ({"type": "string", "pattern": "(?=a)"}, "regex", "#/pattern"),
        ({"type": "string", "minLength": 3, "maxLength": 2}, "bad-bounds", "#/maxLength"),
        ({"type": "string", "minLength": -1}, "schema-value", "#/minLength"),
        ({"type": "text"}, "schema-value", "#/type"),
        ({"type": "string", "enum": [1]}, "schema-value", "#/enum"),
        ({"enum": []}, "schema-value", "#/enum"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "null"}, "schema-value", "#/$schema"),
        ({}, "any-value", "#"),
        ({"type": "array"}, "any-value", "#/items"),
        ({"type": "object", "properties": {"a": True}}, "any-value", "#/properties/a"),
        ({"type": "object", "required": ["a"]}, "undefined-member", "#/required"),
        ({"$ref": "https://example.org/x"}, "remote-ref", "#/$ref"),
        ({"$ref": "#/properties/a"}, "remote-ref", "#/$ref"),
        ({"$ref": "#/$defs/a"}, "undefined-rule", "#/$ref"),
        ([], "schema-value", "#"),
    ],
)
def test_what_is_refused_names_keyword_and_pointer(schema, code, pointer):
    assert (code, pointer) in refusals(schema)


def test_annotations_are_read_over():
    assert schema_rules({"$id": "x", "title": "t", "description": "d", "default": 1, "examples": [1], "type": "null"})


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('{"type": "null"', "syntax", 1, 16),
        ('{"type": "null",}', "syntax", 1, 17),
        ('{\n  "type": nul}', "syntax", 2, 11),
        ('{"type": "null"} x', "syntax", 1, 18),
        ('{"a": 1,\n "a": 2}', "duplicate-member", 2, 2),
        ('{"const": "\\ud800"}', "syntax", 1, 19),
        ('{"const": 1e999}', "syntax", 1, 16),
        ('{"type": "string",\n "format": "date"}', "keyword", 2, 2),
    ],
)
def test_faults_of_the_text_have_line_and_column(text, code, line, column):
    with pytest.raises(GrammarError) as caught:
        read(text, ".json")
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, line, column)


def test_trap_21_nested_optional_members_stay_small():
    def schema(depth):
        inner = {"type": "null"} if depth == 0 else schema(depth - 1)
        return {"type": "object", "properties": {f"m{i}": inner for i in range(6)}}

    rules = schema_rules(schema(3))
    assert sum(1 for name in rules for _ in walk(rules[name])) < 40_000
    assert refusals('{"type":"array","items":' * 5000)[0][0] == "nesting"
    assert refusals({"type": "object", "properties": {f"m{i}": {"type": "null"} for i in range(70)}})[0][0] == "optional-members"
