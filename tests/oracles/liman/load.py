#!/usr/bin/env python3
"""YAML file -> what the real loader makes of each of its documents.

usage: load.py FILE...        one JSON object a file

All documents of a file share one registry. `status`: loaded | refused | skipped (the loader does not know the kind).
ServiceAccount and CredentialsProvider documents, which the loader skips, are built from their classes all the same.
"""
from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any

from liman_core.nodes.supported_types import get_node_cls
from liman_core.registry import Registry
from ruamel.yaml import YAML

from _common import emit, error_record, plain

logging.disable(logging.CRITICAL)


def component_cls(kind: str) -> Any:
    try:
        return get_node_cls(kind)
    except Exception:
        pass
    if kind in ("ServiceAccount", "CredentialsProvider"):
        import liman_core.plugins.auth as auth

        return getattr(auth, kind, None)
    return None


def load_document(data: Any, registry: Registry) -> dict[str, Any]:
    kind = data.get("kind") if isinstance(data, dict) else None
    if not kind:
        return {"status": "refused", "error": {"message": "no mapping with a kind"}}
    cls = component_cls(kind)
    if cls is None:
        return {"status": "skipped"}
    try:
        component = cls.from_dict(data, registry, yaml_path="documents.yaml", strict=False)
        if kind in ("ServiceAccount", "CredentialsProvider"):
            registry.add(component)
    except Exception as e:
        return {"status": "refused", "error": error_record(e)}
    return {"status": "loaded"}


def load_documents(documents: list[Any]) -> list[dict[str, Any]]:
    registry = Registry()
    return [load_document(document, registry) for document in documents]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file", nargs="+")
    for file in ap.parse_args().file:
        documents = list(YAML().load_all(Path(file).read_text(encoding="utf-8")))
        rows = [{"name": plain(d.get("name")) if isinstance(d, dict) else None} for d in documents]
        for row, answer in zip(rows, load_documents(documents)):
            row.update(answer)
        emit({"file": file, "documents": rows})


if __name__ == "__main__":
    main()
