"""Makes the stored runs of a release: make.py NODEWISE MODEL_SERVER RELEASE.

Input: the command of the release, the example `model_server` of test-support, and the folder of the release below this one with its
declarations. Output: `runs.db` of each system. The projects run in /tmp/project, so the stores name no other folder.
"""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

nodewise, models, release = sys.argv[1:]
PROJECT = Path("/tmp/project")
START = {
    "cycgraph": ["flow.yaml", "--input", '{"order": "O-1007"}'],
    "agentos": ["flow.yaml", "--as-documented", "--input", '{"order": "O-1007"}'],
    "liman": ["flow.yaml", "--start", "desk", "--input", "Refund the order O-1007."],
}
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp/project", "XDG_STATE_HOME": "/tmp/project/state"}


def call(*words, code=0):
    done = subprocess.run([nodewise, *words], cwd=PROJECT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, (words, done)


def kill_in_call(*words):
    """Kills the command while the function `pay` is called."""
    (PROJECT / "paid.txt").unlink(missing_ok=True)
    (PROJECT / "hold").touch()
    child = subprocess.Popen([nodewise, *words], cwd=PROJECT, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    while not (PROJECT / "paid.txt").exists():
        assert child.poll() is None, words
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    (PROJECT / "hold").unlink()


for system, start in START.items():
    folder = Path(__file__).parent / release / system
    shutil.rmtree(PROJECT, ignore_errors=True)
    shutil.copytree(folder, PROJECT, ignore=shutil.ignore_patterns("runs.db", "*.jsonl"))
    # The address of nodewise.toml, which is part of the store.
    server = subprocess.Popen([models, "models.json", "127.0.0.1:8643"], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdout.readline()
    try:
        run = ["run", *start, "--no-ask", "--trust"]
        if system != "cycgraph":
            # Release 0.1 resumes no run of AgentOS with a decision, so another graph is paid.
            straight = ["pay.yaml", *run[3:]] if system == "agentos" else run[1:]
            call("run", *straight)
            time.sleep(2)
            kill_in_call("run", *straight)
            if system == "agentos":
                time.sleep(2)
                call(*run, code=1)
        else:
            call(*run, code=1)
            call("resume", "--approve", "--trust")
            time.sleep(2)
            call(*run, code=1)
            kill_in_call("resume", "--approve", "--trust", "--no-ask")
            time.sleep(2)
            call(*run, code=1)
        # Closing the store moves everything to the one file.
        call("runs")
        store = PROJECT / ".nodewise"
        assert not (store / "runs.db-wal").exists()
        shutil.copy(store / "runs.db", folder / "runs.db")
    finally:
        server.stdin.close()
        server.wait()
shutil.rmtree(PROJECT, ignore_errors=True)
