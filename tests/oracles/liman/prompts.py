"""What models are sent: {ask: "prompts", value: {documents, functions, script}} -> {requests: [{agent, messages, tools?, answer?}]}.

Of messages their sections and the planted words in them are reported, as `outline.mjs` does it; schemas are reported whole, since all words
in them are the question's own.
"""
from __future__ import annotations

import re
from typing import Any

import run

PLANTED = re.compile(r"\bzz[a-z0-9_]*|\b4[0-9]\b|__done__")
ROLES = {"human": "user", "ai": "assistant"}


def words(text: str) -> list[str]:
    return list(dict.fromkeys(PLANTED.findall(text)))


def sections(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"holds": []}]
    for line in text.split("\n"):
        if line.startswith("## "):
            found.append({"title": line[3:], "holds": words(line[3:])})
        else:
            held = found[-1]["holds"]
            held.extend(word for word in words(line) if word not in held)
    return [section for section in found if "title" in section or section["holds"]]


def message(sent: Any) -> dict[str, Any]:
    text = sent.content if isinstance(sent.content, str) else str(sent.content)
    if sent.type == "tool":
        return {"role": "tool", "results": [words(text)]}
    row: dict[str, Any] = {"role": ROLES.get(sent.type, sent.type)}
    if text or not getattr(sent, "tool_calls", None):
        row["sections"] = sections(text)
    if getattr(sent, "tool_calls", None):
        row["calls"] = [{"tool": call["name"], "holds": words(str(call["args"]))} for call in sent.tool_calls]
    return row


def tool(offered: dict[str, Any]) -> dict[str, Any]:
    function = offered["function"]
    return {"name": function["name"], "description": function["description"], "parameters": function["parameters"]}


def request(sent: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"agent": sent["node"], "messages": [message(one) for one in sent["messages"]]}
    if sent["tools"]:
        row["tools"] = [tool(offered) for offered in sent["tools"]]
    if sent["schema"] is not None:
        row["answer"] = sent["schema"]
    return row


def answer_prompts(question: dict[str, Any]) -> dict[str, Any]:
    errors = run.summary({**question, "line": "release"})["errors"]
    return {"errors": errors, "requests": [request(sent) for sent in run.SENT]}
