#!/usr/bin/env python3
"""Count what an agent reads to find the causes of many mistakes.

Usage: NODEWISE=path/to/nodewise tokens.py

The mistakes of `open` make 20 repositories of about 15 small projects each. Each report is read from its beginning to its end: a
cause is found if an entry at the right line says what helps, as `score.py` judges it. A token is four bytes, as in docs/agents.md.
It prints a table, and ends with 0 only if the reports for agents name every cause, in fewer tokens than the report for people.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from score import HERE, names_cause, nodewise, places

REPOSITORIES = 20
ANSWER = re.compile(r"^  (\d+):\d+ (?:error|warning) [\w-]+: (.*)$")
HEAD = re.compile(r"^(?:error|warning)\[")
PLACE = re.compile(r"^ *--> (.*):(\d+):\d+$", re.MULTILINE)


def cases():
    """The mistakes that the report shows by default, without arguments of their own."""
    for folder in sorted((HERE / "open").iterdir()):
        case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
        if not case.get("hint_ok") and not case.get("args"):
            yield folder, case


def lay(home, chosen):
    """A repository with a project for each case."""
    for folder, case in chosen:
        project = home / folder.name
        for name in case["files"]:
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / name, project / name)
        (project / "nodewise.toml").touch()


def of_lines(text):
    """The entries of a report for agents: file, line, words."""
    file = ""
    for line in text.splitlines():
        if found := ANSWER.match(line):
            yield file, int(found[1]), found[2]
        else:
            file = line


def of_blocks(text):
    """The entries of a report for people."""
    for block in re.split(r"\n\n", text):
        if HEAD.match(block) and (found := PLACE.search(block)):
            yield found[1], int(found[2]), block


class Server:
    """`nodewise mcp`, and the answers of its tool `check`, page by page."""

    def __init__(self, home):
        binary = str(Path(os.environ.get("NODEWISE", "nodewise")).resolve())
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf-8"}
        self.process = subprocess.Popen([binary, "mcp", str(home)], **pipes)
        self.number = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tokens", "version": "1"}}
        self.ask("initialize", client)
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                return message["result"]
        raise SystemExit("tokens.py: the server ended")

    def pages(self):
        offset = 0
        while True:
            answer = self.ask("tools/call", {"name": "check", "arguments": {"offset": offset}})
            text = answer["content"][0]["text"]
            yield text
            more = re.search(r"call again with `offset` (\d+)", text)
            if not more:
                break
            offset = int(more[1])
        self.process.stdin.close()
        self.process.wait(60)


def missing(chosen, entries):
    """The cases whose cause no entry names."""
    said = {}
    for file, line, words in entries:
        said.setdefault((os.path.normpath(file), line), []).append(words)
    for folder, case in chosen:
        at = [(os.path.normpath(f"{folder.name}/{file}"), line) for file, line in places(case)]
        found = [words for place in at for words in said.get(place, [])]
        if not any(names_cause({"message": words}, case["must_mention"]) for words in found):
            yield folder.name


def read(home, chosen):
    """For each report: what is read, in how many calls, and the causes that it does not name."""
    reports = {}
    for form, entries in (("full", of_blocks), ("agent", of_lines)):
        _, out, _ = nodewise(home, "check", "--no-progress", "--color", "never", "--format", form, ".")
        reports[f"`check --format {form}`"] = (out, 1, list(missing(chosen, entries(out))))
    pages = list(Server(home).pages())
    found = [entry for page in pages for entry in of_lines(page)]
    reports["tool `check` of `nodewise mcp`"] = ("".join(pages), len(pages), list(missing(chosen, found)))
    files = [home / folder.name / name for folder, case in chosen for name in case["files"]]
    texts = "".join(file.read_text(encoding="utf-8", errors="replace") for file in files)
    reports["the files themselves"] = (texts, len(files), None)
    return reports


def main():
    everything = list(cases())
    totals = {}
    for number in range(REPOSITORIES):
        chosen = everything[number::REPOSITORIES]
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            lay(home, chosen)
            for name, (text, calls, lost) in read(home, chosen).items():
                total = totals.setdefault(name, {"tokens": 0, "calls": 0, "lost": None if lost is None else []})
                total["tokens"] += -(-len(text.encode()) // 4)
                total["calls"] += calls
                if lost is not None:
                    total["lost"] += lost
    count = len(everything)
    print(f"{count} mistakes in {REPOSITORIES} repositories\n")
    print("| what is read | tokens | tokens for a mistake | calls | causes named |\n|---|---:|---:|---:|---:|")
    for name, total in totals.items():
        named = "" if total["lost"] is None else str(count - len(total["lost"]))
        print(f"| {name} | {total['tokens']:,} | {total['tokens'] / count:.0f} | {total['calls']} | {named} |")
    full, *others = [total for total in totals.values() if total["lost"] is not None]
    problems = [f"no entry names the cause of {name}" for total in others for name in total["lost"]]
    problems += ["a report for agents is longer than that for people" for total in others if total["tokens"] >= full["tokens"]]
    for problem in problems:
        print(f"FAIL {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
