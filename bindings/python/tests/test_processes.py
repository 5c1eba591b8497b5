"""Processes, threads, signals and interpreters."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import phalanx

LIMIT = 120  # Seconds after which a child hangs.


def many(rows: dict[str, Any], times: int) -> dict[str, Any]:
    return {name: values * times for name, values in rows.items()}


def verify_in_child(rows: dict[str, Any], threads: int) -> tuple[int, bool]:
    found = phalanx.verify(rows, threads=threads)
    return len(found), all(found.valid())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_after_use(signed: dict[str, Any], method: str) -> None:
    rows = many(signed, 200)
    assert all(phalanx.verify(rows, threads=2).valid())
    phalanx.sum_of_products({"scalar": signed["msg_hash"][1:], "point": signed["pubkey"][1:]}, threads=2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        jobs = [pool.apply_async(verify_in_child, (rows, threads)) for threads in (1, 2, 2, 1)]
        assert [job.get(timeout=LIMIT) for job in jobs] == [(10_000, True)] * 4


def test_fork_during_use(signed: dict[str, Any]) -> None:
    rows = many(signed, 1000)
    worker = threading.Thread(target=lambda: phalanx.verify(rows, threads=2))
    worker.start()
    child = os.fork()
    if child == 0:
        os._exit(0 if verify_in_child(signed, 2) == (50, True) else 1)
    deadline = time.monotonic() + LIMIT
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    worker.join()
    assert ended == (child, 0)


def test_threads_of_python(signed: dict[str, Any]) -> None:
    rows = many(signed, 20)
    with ThreadPoolExecutor(8) as workers:
        found = list(workers.map(lambda _: all(phalanx.verify(rows).valid()), range(40)))
    assert found == [True] * 40


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not list threads there")
def test_numbers_of_threads(signed: dict[str, Any]) -> None:
    """True is all cores, as where nothing is said, and not the number 1 that it is in Python; False is one."""
    rows = many(signed, 200)

    def alive() -> int:
        return [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()].count("phalanx")

    def threads_of(asked: int | None) -> int:
        # Threads of the call before may still be on their way out.
        deadline = time.monotonic() + LIMIT
        while alive() > 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        seen = 0

        def tell(done: int, total: int) -> None:
            nonlocal seen
            seen = max(seen, alive())

        assert all(phalanx.verify(rows, threads=asked, progress=tell).valid())
        return seen

    assert [threads_of(asked) for asked in (3, 2, 1, False)] == [3, 2, 0, 0]
    assert threads_of(True) == threads_of(None)
    cores = len(os.sched_getaffinity(0))
    assert threads_of(True) <= cores and (cores == 1 or threads_of(True) > 1)
    # No more than have work: fewer than 1,024 rows are one thread's, and so are those of small batches.
    rows = signed
    assert [threads_of(asked) for asked in (3, None)] == [0, 0]


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system does not count what a process reads")
def test_small_tables_ask_the_system_nothing(signed: dict[str, Any]) -> None:
    """How many cores there are stands in files, which take longer to read than a row to verify."""
    one = {name: values[:1] for name, values in signed.items()}

    def reads() -> int:
        lines = Path("/proc/self/io").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("syscr"))

    calls: list[Callable[[], object]] = [
        lambda: phalanx.verify(one),
        lambda: phalanx.public_keys(one["msg_hash"]),
        lambda: phalanx.sum_of_products({"scalar": one["msg_hash"], "point": one["pubkey"]}),
    ]
    one["msg_hash"] = [bytes([1] * 32)]
    for call in calls:
        call()
        before = reads()
        for _ in range(100):
            call()
        assert reads() - before < 50


def test_the_interpreter_goes_on(signed: dict[str, Any]) -> None:
    """Other threads of Python run while rows are computed."""
    rows = many(signed, 2000)
    ticks, stop = [], threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    phalanx.verify(rows, threads=1, backend="portable")
    end = time.monotonic()
    stop.set()
    ticker.join()
    assert len([moment for moment in ticks if begin < moment < end]) >= 10


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupts(signed: dict[str, Any], threads: int) -> None:
    # What runs in the background may have been started without interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rows = many(signed, 40_000)
    timer = threading.Timer(0.5, interrupt)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        phalanx.verify(rows, threads=threads, backend="portable")
        pytest.fail("two million rows took less than half a second")
    timer.join()
    # The whole would take most of a minute.
    assert time.monotonic() - begin < 20


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_interrupts_of_a_stream(signed: dict[str, Any]) -> None:
    """A stream that is made in Python hands an exception on as text: an interrupt is one all the same."""
    pa = pytest.importorskip("pyarrow")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    batch = pa.table({name: signed[name] for name in ("msg_hash", "pubkey", "sig")}).to_batches()[0]
    made = 0

    def batches() -> Any:
        nonlocal made
        for made in range(1, 100):
            if made == 5:
                interrupt()
                time.sleep(0.1)
            yield batch

    with pytest.raises(KeyboardInterrupt):
        phalanx.verify(pa.RecordBatchReader.from_batches(batch.schema, batches()))
    assert made == 5


def test_interrupts_between_batches() -> None:
    """A stream that is not made in Python looks at no signal itself."""
    duckdb = pytest.importorskip("duckdb")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection = duckdb.connect()
    # A batch is made when it is asked for, on the thread that asks.
    connection.execute("set threads=1")
    connection.execute("set streaming_buffer_size='1KB'")
    signature = "sha256(repeat('x', 2000 + (range % 7)::int))::blob"
    rows = f"select {signature} as sig, 'x'::blob as pubkey, 'x'::blob as msg_hash from range(2000000)"
    reader = connection.sql(rows).to_arrow_reader(2048)
    timer = threading.Timer(1, interrupt)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        phalanx.verify(reader)
    timer.join()
    # All 977 batches take some ten seconds or more.
    assert time.monotonic() - begin < 8


@pytest.mark.parametrize("threads", [1, 2])
def test_progress(signed: dict[str, Any], threads: int) -> None:
    told: list[tuple[int, int]] = []
    found = phalanx.verify(many(signed, 400), threads=threads, progress=lambda done, total: told.append((done, total)))
    assert len(found) == 20_000 and told[-1] == (20_000, 20_000)
    assert told == sorted(told)
    phalanx.public_keys([bytes([1] * 32)] * 3000, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3000, 3000)

    def fails(done: int, total: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        phalanx.verify(signed, threads=threads, progress=fails)
    pytest.importorskip("tqdm")
    assert all(phalanx.verify(signed, progress=True).valid())


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=False)


def test_sub_interpreters_refuse() -> None:
    ended = run(
        "import phalanx\n"
        "try:\n"
        "    import _xxsubinterpreters as interpreters\n"
        "except ImportError:\n"
        "    import _interpreters as interpreters\n"
        "said = interpreters.run_string(interpreters.create(), 'import phalanx')\n"
        "print(said)\n"
    )
    assert "phalanx does not run in sub-interpreters" in ended.stdout + ended.stderr
    assert "ImportError" in ended.stdout + ended.stderr


def test_free_threaded_builds_refuse() -> None:
    # This build is none: what it would say of itself is put in its place.
    ended = run(
        "import sysconfig\n"
        "said = sysconfig.get_config_var\n"
        "sysconfig.get_config_var = lambda name: 1 if name == 'Py_GIL_DISABLED' else said(name)\n"
        "import phalanx\n"
    )
    assert ended.returncode == 1
    assert "ImportError: phalanx does not run on free-threaded builds" in ended.stderr


def test_a_free_threaded_build_refuses() -> None:
    found = [python for name in ("python3.14t", "python3.13t") if (python := shutil.which(name))]
    if not found:
        pytest.skip("there is no free-threaded Python: neither python3.14t nor python3.13t")
    for python in found:
        # What this Python has installed, without a build of its own: it says so before it loads what is compiled.
        environment = {**os.environ, "PYTHONPATH": str(Path(phalanx.__file__).parent.parent)}
        ended = subprocess.run([python, "-c", "import phalanx"], env=environment, capture_output=True, text=True)
        assert ended.returncode == 1
        assert "ImportError: phalanx does not run on free-threaded builds" in ended.stderr


def test_the_environment_names_the_backend() -> None:
    code = "import phalanx; from phalanx._bulk import _rows; " \
        "print(_rows('verify', None, 'all', 'allow', 'strict', None).backend)"
    for name in [*phalanx.backends(), "abacus", ""]:
        environment = {**os.environ, "PHALANX_BACKEND": name}
        ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        if name == "abacus":
            assert ended.returncode == 1 and "abacus" in ended.stderr
        else:
            # An empty variable counts as not set.
            assert ended.stdout.strip() == (name or phalanx.backends()[0]), ended.stderr
