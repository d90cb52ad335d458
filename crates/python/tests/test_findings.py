"""Findings: the document, its forms and single runs."""

import dataclasses
import json
import sys

import pytest
from conftest import CALL, ISORT, ROOT

import slowpath
from slowpath import _native, findings
from slowpath.options import NOT_HERE, Options, RunOptions, name_of


def test_a_saved_document_reads_back(found, tmp_path):
    file = found.save(tmp_path)
    assert file.name == "findings.json" and slowpath.read(file) == slowpath.read(tmp_path) == found
    assert [file.name for file in tmp_path.iterdir()] == ["findings.json"]


def test_what_is_no_document_is_an_error(tmp_path):
    (tmp_path / "findings.json").write_text("[]")
    with pytest.raises(slowpath.Error, match="schema"):
        slowpath.read(tmp_path)
    with pytest.raises(slowpath.Error, match="not JSON"):
        slowpath.Findings.of_json("{")


def test_every_member_of_the_schema_has_a_field():
    schema = json.loads((ROOT / "docs" / "findings.schema.json").read_text(encoding="utf-8"))
    by_hand = {"source", "trees", "flame"}
    result = schema["$defs"]["result"]["properties"]
    for kind, members in [
        (slowpath.Findings, set(schema["properties"]) - by_hand),
        (slowpath.SizeResult, set(result)),
        (slowpath.Target, set(schema["$defs"]["target"]["properties"])),
        (slowpath.HotLine, set(schema["$defs"]["hot_line"]["properties"])),
        (slowpath.Growth, set(schema["$defs"]["fit"]["properties"])),
        (slowpath.Average, set(result["average"]["properties"])),
        (slowpath.Trap, set(result["traps"]["items"]["properties"])),
    ]:
        fields = {field.name.rstrip("_") for field in dataclasses.fields(kind)} - {"text" if kind is slowpath.Findings else ""}
        assert fields == members, kind.__name__


def test_every_option_of_the_command_line_is_a_keyword():
    for command, options in [("analyze", Options), ("run", RunOptions)]:
        flags = {flag for flag, *_ in _native.options(command)} - NOT_HERE
        assert {name_of(flag) for flag in flags} == set(options.__annotations__), command


def test_a_newer_document_with_more_members_is_read(found):
    document = found.document
    document["colour"] = "green"
    document["results"][0]["taste"] = 1
    assert slowpath.Findings.of_json(json.dumps(document)) == found


def test_a_table_for_pandas(found):
    pandas = pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["size"]) == [1, 2, 3, 4, 5, 6]
    assert frame["cost"].dtype == "Int64" and frame["cost"].is_monotonic_increasing
    assert frame.loc[5, "input"] == found.worst.input


def test_without_pandas_it_says_what_is_missing(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        found.to_pandas()


def test_a_notebook_shows_a_plot_and_a_terminal_a_table(found):
    shown = found._repr_html_()
    assert "<svg" in shown and "<table" in shown and "<script" not in shown
    assert "worst cost" in str(found) and repr(found).startswith("<Findings: O(n²)")
    assert found.html().startswith("<!DOCTYPE html>")


def test_growth_is_compared_with_a_class(found):
    assert found.keeps("n^2") is True and found.keeps("n log n") is False
    with pytest.raises(slowpath.Error):
        found.keeps("fast")


def test_one_given_input_runs():
    ran = slowpath.run(ISORT, call=CALL, size=3, input={"a": [3, 2, 1]})
    assert ran.costs["instructions"] == 192 and ran.trap is None
    with pytest.raises(slowpath.Error):
        slowpath.run(ISORT, call=CALL, size=3, input={"b": []})


def test_worst_inputs_run_again(found, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    replayed = slowpath.replay(found)
    assert replayed.agrees and len(replayed.results) == 6
    # A document is not trusted to name files anywhere.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(slowpath.Error, match="not below"):
        slowpath.replay(found)
    assert slowpath.replay(found.save(tmp_path), program=ISORT).agrees


def test_dataclasses_are_frozen(found):
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.worst.cost = 0
    assert findings.make(slowpath.Spent, {"seconds": 1.0, "steps": 2}).steps == 2
