#!/usr/bin/env python3
"""The released Liman packages as an oracle: JSON lines in, one JSON line out for each, in order.

usage: answer.py [CLASSIC_PYTHON]

Each line asks for one thing:
  {ask: "expression", expression, context?}            -> {tree, value | error} | {offset}
  {ask: "bundle", value, language}                     -> {bundle, lookup} | {error}
  {ask: "run", line, value: {documents, functions, script}} -> {turns, errors, llm_calls}
  {ask: "prompts", value: {documents, functions, script}}   -> {errors, requests}
  {ask: "documents", line, value: [...], form}         -> {documents: [loaded | refused | skipped ...]}

`line` is `release` or `classic`, as `run.py` says what the rest means; questions about `classic` go to this program in the other line's environment, whose
interpreter is the argument. A function that a condition names is not called, so that no condition runs anything.
"""
from __future__ import annotations

import json
import subprocess
import sys
import traceback
import warnings
from typing import Any

from ruamel.yaml import YAML

import bundle
import load
import prompts
import run
import when_eval
import when_parse

ERRORS = {"KeyError": "missing", "TypeError": "type"}


def answer_expression(question: dict[str, Any]) -> dict[str, Any]:
    expression = question["expression"]
    parsed = when_parse.describe(expression)
    if not parsed["ok"]:
        return {"offset": parsed.get("offset"), "error": parsed["error"]}
    answer: dict[str, Any] = {"tree": parsed["sexp"]}
    if parsed["kind"] != "function_ref":
        result = when_eval.evaluate(expression, question.get("context", {}), {})
        if "error" in result:
            answer["error"] = ERRORS.get(result["error"], result["error"])
        else:
            answer["value"] = result["value"]
    return answer


def answer_bundle(question: dict[str, Any]) -> dict[str, Any]:
    found = bundle.describe(question["value"], question["language"])
    if not found["ok"]:
        return {"error": found["error"]["type"]}
    answer = {"bundle": found["normalized"]}
    if "lookup_error" in found:
        answer["error"] = found["lookup_error"]["type"]
    else:
        answer["lookup"] = found["lookup"]
    return answer


def answer_documents(question: dict[str, Any]) -> dict[str, Any]:
    documents = question["value"] if isinstance(question["value"], list) else [question["value"]]
    if question.get("form") == "yaml":
        # As the loader reads a file: with the library's own containers.
        documents = [YAML().load(json.dumps(document, ensure_ascii=False)) for document in documents]
    rows = load.load_documents(documents)
    return {"documents": [row["status"] for row in rows], "errors": [row.get("error") for row in rows]}


ANSWERS = {
    "expression": answer_expression,
    "bundle": answer_bundle,
    "documents": answer_documents,
    "run": run.summary,
    "prompts": prompts.answer_prompts,
}


class Classic:
    """The same program in the environment of the older packages; started when it is first asked."""

    def __init__(self, python: str | None) -> None:
        self.python = python
        self.child: subprocess.Popen[str] | None = None

    def ask(self, line: str) -> str:
        if self.child is None:
            if self.python is None:
                return json.dumps({"broken": "no interpreter for the classic line was given"})
            command = [self.python, __file__]
            self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.child.stdin is not None and self.child.stdout is not None
        self.child.stdin.write(line.rstrip("\n") + "\n")
        self.child.stdin.flush()
        return self.child.stdout.readline().rstrip("\n")


def main() -> None:
    # The packages may print; standard output belongs to the answers.
    out, sys.stdout = sys.stdout, sys.stderr
    warnings.simplefilter("ignore")
    classic = Classic(sys.argv[1] if len(sys.argv) > 1 else None)
    for line in sys.stdin:
        try:
            question = json.loads(line)
            if question.get("line") == "classic" and classic.python is not None:
                answer = classic.ask(line)
            else:
                answer = json.dumps(ANSWERS[question["ask"]](question), ensure_ascii=False)
        except Exception:
            answer = json.dumps({"broken": traceback.format_exc()})
        out.write(answer + "\n")
        out.flush()


if __name__ == "__main__":
    main()
