"""What editors show of the compiled half, which they read from its stubs, is what Python says of it."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

# Of each package, fewer methods than its stubs describe.
PACKAGES = {"phalanx": 75, "phalanx_verkle": 5}


def words(text: str | None) -> str:
    return " ".join((text or "").split())


@pytest.mark.parametrize("name", [name for name in PACKAGES if find_spec(name)])
def test_stubs_say_what_the_module_says(name: str) -> None:
    module = __import__(f"{name}._{name}", fromlist=["_"])
    stubs = ast.parse((Path(module.__file__ or "").parent / f"_{name}.pyi").read_text())
    compared = 0
    for kind in (node for node in stubs.body if isinstance(node, ast.ClassDef)):
        for method in (node for node in kind.body if isinstance(node, ast.FunctionDef)):
            said = ast.get_docstring(method)
            if method.name.startswith("__") and not method.name.startswith("__arr"):
                # Python describes its own ones itself.
                continue
            real = getattr(getattr(module, kind.name), method.name).__doc__
            assert words(said) == words(real) != "", f"{kind.name}.{method.name}"
            compared += 1
    assert compared > PACKAGES[name]
