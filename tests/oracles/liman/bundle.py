#!/usr/bin/env python3
"""JSON value -> normalised LanguageBundle, from the real functions.

usage: bundle.py [--lang CODE]      one JSON value a line of standard input

--lang CODE  also show what a lookup in that language gives (the whole language, else the whole fallback)
"""
from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from liman_core.languages import get_localized_value, validate_localized_value

from _common import emit, error_record, plain

FALLBACK = "en"


class _Info:
    context = None


def describe(value: Any, lang: str | None) -> dict[str, Any]:
    try:
        norm = validate_localized_value(value, _Info())  # type: ignore[arg-type]
    except Exception as e:
        return {"ok": False, "error": error_record(e)}
    rec: dict[str, Any] = {"ok": True, "normalized": plain(norm)}
    if lang:
        try:
            rec["lookup"] = plain(get_localized_value(norm, lang, FALLBACK))  # type: ignore[arg-type]
        except Exception as e:
            rec["lookup_error"] = error_record(e)
    return rec


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--lang")
    a = ap.parse_args()
    for line in sys.stdin:
        if line.strip():
            emit(describe(json.loads(line), a.lang))


if __name__ == "__main__":
    main()
