"""The configuration in a real Helix, as a person sees it.

    python3 editors/helix/test.py HELIX RUNTIME SERVER

With NODEWISE_CONTROL=1 the server is one that is absent, and each test has to fail. The last line counts.
"""

import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "test"))

from terminal import Terminal  # noqa: E402

IS_CONTROL = "NODEWISE_CONTROL" in os.environ
PATIENCE = 2 if IS_CONTROL else float(os.environ.get("NODEWISE_PATIENCE", "20"))
CAPTURES = ROOT / "docs/captures"


def capture(name, what, screen):
    """Keeps a screen as documentation."""
    if os.environ.get("NODEWISE_CAPTURES") == "write":
        CAPTURES.mkdir(exist_ok=True)
        (CAPTURES / f"{name}.txt").write_text(f"{what}, in Helix.\n\n{screen}", encoding="utf-8")


def settle(helix):
    """Waits until the server has read the folder."""
    helix.shows("●")
    helix.at_rest()


def diagnostics(helix, _project):
    """A problem is marked, counted, and shown at its line."""
    helix.shows("no node has the id `covred`", "help: write `covered`")
    capture("helix-problem", "A problem and what to write instead", helix.at_rest())


def hover(helix, _project):
    """What a key means."""
    settle(helix)
    helix.keys("/target_key", "Enter", "Space", "k")
    helix.shows("The memory key to judge")
    capture("helix-hover", "What a key means", helix.at_rest())


def goto(helix, _project):
    """From a tool's name to its declaration in another file."""
    settle(helix)
    helix.keys("/find_customer", "Enter", "g", "d")
    helix.shows("customers.yaml", "name: find_customer")


def formatting(helix, project):
    """A file is formatted and written."""
    helix.shows("●")
    helix.keys(":format", "Enter")
    helix.shows("- id: policy")
    helix.keys(":write", "Enter")
    helix.shows("written")
    text = (project / "claims.yaml").read_text(encoding="utf-8")
    assert "id:    policy" not in text and "- id: policy" in text, text


def completion(helix, _project):
    """The nodes that an edge may lead to."""
    settle(helix)
    helix.keys("/target: decline", "Enter", "b", "c")
    helix.shows("INS")
    helix.keys("C-x")
    helix.shows("value_damage  struct")
    capture("helix-completion", "Nodes that an edge may lead to", helix.at_rest())


def action(helix, project):
    """The fix of a problem, chosen and written."""
    helix.shows("no node has the id `covred`")
    helix.keys("Space", "a")
    helix.shows("Replace it with `covered`")
    capture("helix-fix", "The fixes of a problem", helix.at_rest())
    helix.keys("Enter")
    helix.hides("covred")
    helix.keys(":write", "Enter")
    helix.shows("written")
    text = (project / "claims.yaml").read_text(encoding="utf-8")
    assert "covred" not in text, text


def references(helix, project):
    """Every place that names a node."""
    settle(helix)
    helix.keys("/id: policy", "Enter", ";", "g", "r")
    lines = (project / "claims.yaml").read_text(encoding="utf-8").splitlines()
    named = [number for number, line in enumerate(lines, 1) if re.search(r"\b(id|source|target): policy\b", line)]
    assert len(named) == 3, named
    helix.shows("claims.scenario.yaml:", *(f"claims.yaml:{number}" for number in named))


def rename(helix, project):
    """A node, wherever it is named."""
    settle(helix)
    helix.keys("/id: policy", "Enter", ";", "Space", "r")
    helix.shows("rename-to:")
    helix.keys("C-u", "checked", "Enter", ":write", "Enter")
    helix.shows("written")
    text = (project / "claims.yaml").read_text(encoding="utf-8")
    assert "id: checked" in text and "target: checked" in text, text


def place_of(file, text):
    """The file as Helix takes it, with the line and the column of a text."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if text in line:
            return f"{file.name}:{number}:{line.index(text) + 1}"
    raise AssertionError(f"{file} does not hold {text}")


# What is tested, the example that it is tested with, the file with the text where it opens, and an edit of it beforehand.
TESTS = [
    (diagnostics, "cycgraph-broken", ("claims.yaml", "covred"), None),
    (hover, "cycgraph-broken", ("claims.yaml", "id"), None),
    (goto, "liman", ("desk.yaml", "may_archive"), None),
    (formatting, "cycgraph", ("claims.yaml", "id"), ("- id: policy", "- id:    policy")),
    (completion, "cycgraph", ("claims.yaml", "id"), None),
    (action, "cycgraph-broken", ("claims.yaml", "covred"), None),
    (references, "cycgraph", ("claims.yaml", "id"), None),
    (rename, "cycgraph", ("claims.yaml", "id"), None),
]


def run(test, example, opened, edit, helix, runtime, server):
    with tempfile.TemporaryDirectory() as folder:
        home, project = pathlib.Path(folder, "home"), pathlib.Path(folder, "project")
        shutil.copytree(ROOT / "examples" / example, project)
        config = home / "helix"
        config.mkdir(parents=True)
        languages = (HERE / "languages.toml").read_text(encoding="utf-8")
        languages = languages.replace('command = "nodewise"', f'command = "{server}"')
        (config / "languages.toml").write_text(languages, encoding="utf-8")
        (config / "config.toml").write_text('[editor]\nend-of-line-diagnostics = "hint"\n', encoding="utf-8")
        file = project / opened[0]
        if edit:
            file.write_text(file.read_text(encoding="utf-8").replace(*edit), encoding="utf-8")
        environment = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "HELIX_RUNTIME": runtime,
            "LC_ALL": "C.UTF-8",
        }
        terminal = Terminal(str(project), [helix, place_of(file, opened[1])], environment, PATIENCE)
        try:
            test(terminal, project)
        finally:
            terminal.close()


def main():
    helix, runtime, server = sys.argv[1:4]
    passed = failed = 0
    for test, example, opened, edit in TESTS:
        try:
            run(test, example, opened, edit, helix, runtime, "/bin/false" if IS_CONTROL else server)
        except AssertionError as failure:
            failed += 1
            print(f"fails as it must: {test.__doc__}" if IS_CONTROL else f"FAILED {test.__doc__} {failure}")
        else:
            passed += 1
            print(f"ok {test.__doc__}")
    if IS_CONTROL:
        print(f"{failed} failed without a server, {passed} passed")
        return 0 if failed and not passed else 1
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
