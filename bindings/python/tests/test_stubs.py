"""What editors show of the compiled half, which they read from its stubs, is what Python says of it."""

from __future__ import annotations

import ast
from pathlib import Path

import phalanx
from phalanx import _phalanx


def words(text: str | None) -> str:
    return " ".join((text or "").split())


def test_stubs_say_what_the_module_says() -> None:
    stubs = ast.parse(Path(phalanx.__file__).with_name("_phalanx.pyi").read_text())
    compared = 0
    for kind in (node for node in stubs.body if isinstance(node, ast.ClassDef)):
        for method in (node for node in kind.body if isinstance(node, ast.FunctionDef)):
            said = ast.get_docstring(method)
            if method.name.startswith("__") and not method.name.startswith("__arr"):
                # Python describes its own ones itself.
                continue
            real = getattr(getattr(_phalanx, kind.name), method.name).__doc__
            assert words(said) == words(real) != "", f"{kind.name}.{method.name}"
            compared += 1
    assert compared > 60
