"""Runs the cells of the notebooks in the current folder, as a notebook would but without one. Their last expressions are shown."""

import ast
import json
import sys
from pathlib import Path


def run(notebook: Path) -> None:
    names: dict = {}
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        body = ast.parse("".join(cell["source"]), f"{notebook}, cell {number}")
        last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
        exec(compile(body, f"{notebook}, cell {number}", "exec"), names)
        if last is not None:
            show(eval(compile(ast.Expression(last.value), f"{notebook}, cell {number}", "eval"), names))


def show(value: object) -> None:
    """A notebook prefers a value's own HTML."""
    as_html = getattr(value, "_repr_html_", None)
    text = as_html() if as_html else repr(value)
    if not text:
        sys.exit("a cell shows nothing")


if __name__ == "__main__":
    notebooks = sorted(Path().glob("*.ipynb"))
    if not notebooks:
        sys.exit("there is no notebook here")
    for notebook in notebooks:
        run(notebook)
