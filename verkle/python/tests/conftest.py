"""The repository's data where it is there, and loud skips: what the tests of all packages share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest


def _repository() -> Path | None:
    here = Path(__file__).resolve()
    return next((folder for folder in here.parents if (folder / "data" / "sample" / "manifest.csv").exists()), None)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The repository that the tests lie in; they run without it too."""
    found = _repository()
    if found is None:
        pytest.skip("the repository is not there")
    return found


@pytest.fixture(scope="session")
def sample(repository: Path) -> Path:
    """The folder of real rows."""
    return repository / "data" / "sample"


@pytest.fixture(scope="session")
def shared(repository: Path) -> Path:
    """The folder of larger data beside the repository."""
    folder = Path(os.environ.get("PHALANX_SHARED", repository.parent / "shared"))
    if not (folder / "vectors").is_dir():
        pytest.skip("the folder ../shared is not there: 5,901 vectors and 12,198 rows are not checked")
    return folder


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each skip, in the form that the repository's checks collect."""
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        terminalreporter.write_line(f"SKIPPED: {report.nodeid}: {reason.removeprefix('Skipped: ')}")
