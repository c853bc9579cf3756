"""The CRDs that come with the families, as a later run reads them from the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from weighbridge.webhook.inputs import bundled
from weighbridge.webhook.inputs.compile_cache import CompileCache


def _cached(folder: Path, monkeypatch: pytest.MonkeyPatch) -> CompileCache:
    cache = CompileCache(folder, b"this engine")
    monkeypatch.setattr(bundled, "compile_cache", lambda: cache)
    return cache


def _unreadable(*_: object) -> object:
    raise AssertionError("read from its file")


def test_a_later_run_gets_every_crd_as_it_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _cached(tmp_path / "cache", monkeypatch)
    read = list(bundled.bundled_crds())
    first.save()
    _cached(tmp_path / "cache", monkeypatch)
    monkeypatch.setattr(bundled, "documents", _unreadable)
    assert list(bundled.bundled_crds()) == read


@pytest.mark.parametrize("spoilt", [b"", b"no code", b"[\xff\xff\xff\xff"])
def test_what_cannot_be_read_from_the_cache_is_read_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: bytes) -> None:
    read = next(bundled.bundled_crds())
    cache = _cached(tmp_path / "cache", monkeypatch)
    monkeypatch.setattr(cache, "get", lambda _: spoilt)
    assert next(bundled.bundled_crds()) == read


def test_a_changed_file_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = _cached(tmp_path / "cache", monkeypatch)
    keys: list[str] = []
    monkeypatch.setattr(cache, "put", lambda key, _: keys.append(key))
    read = [next(bundled.bundled_crds())]
    path_of, changed = bundled._path, tmp_path / "changed.yaml"

    def another(place: tuple[str, str, str]) -> str:
        changed.write_bytes(b"# changed\n" + Path(path_of(place)).read_bytes())
        return str(changed)

    monkeypatch.setattr(bundled, "_path", another)
    read.append(next(bundled.bundled_crds()))
    assert read[0] == read[1]
    assert len(set(keys)) == len(keys) == len(read)
