"""Measures runs on a durable engine: what a call costs, how many there are in a second, runs that wait, and a long replay.

    python3 tests/durable/figures.py NODEWISE RESTATE

NODEWISE is a build with the worker (`cargo build --release --features worker`), RESTATE the folder in which npm installed
the packages of tests/durable/package.json. The server and the worker run on this machine, in a temporary folder.
"""

import glob
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

CALLS = 100
RUNS = 50
WAITING = 1000
ANSWERS = 1000

FUNCTIONS = "def instant(**_):\n    return 'done'\n"
TOOLS = "[cycgraph.external]\ntools = ['instant']\n\n[live.tools]\ninstant = { function = 'functions.instant' }\n"


def row(name, calls, is_waiting):
    """A graph with calls in a row, and a person at the end."""
    node = "  - {id: n%d, type: tool, tool_id: instant, tools: [instant], write_keys: ['n%d_result']}\n"
    nodes = "".join(node % (number, number) for number in range(calls))
    names = [f"n{number}" for number in range(calls)]
    if is_waiting:
        nodes += "  - {id: ask, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Go on?'}}\n"
        nodes += node.replace("n%d", "%s") % ("last", "last")
        names += ["ask", "last"]
    edges = "".join(f"  - {{source: {one}, target: {two}}}\n" for one, two in zip(names, names[1:]))
    edges = f"edges:\n{edges}" if edges else "edges: []\n"
    return f"id: {name}\nname: {name}\ndescription: Calls in a row.\nnodes:\n{nodes}{edges}start_node: {names[0]}\nend_nodes: [{names[-1]}]\n"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def answer(url, body=None, method=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "accept": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=120) as response:
        return response.read().decode()


def until(what, holds, limit=600):
    begin = time.monotonic()
    while True:
        try:
            if holds():
                return time.monotonic() - begin
        except OSError:
            pass
        if time.monotonic() - begin > limit:
            sys.exit(f"waited in vain until {what}")
        time.sleep(0.02)


def memory(process):
    """The resident memory, in MiB."""
    with open(f"/proc/{process.pid}/status") as status:
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


class Scene:
    def __init__(self, nodewise, restate):
        self.nodewise = os.path.abspath(nodewise)
        self.folder = tempfile.mkdtemp(prefix="nodewise-figures-")
        self.ingress, self.admin, self.fabric, self.port = (free_port() for _ in range(4))
        [program] = glob.glob(f"{restate}/node_modules/@restatedev/restate-server-*/bin/restate-server")
        environment = dict(
            os.environ,
            RESTATE_DISABLE_TELEMETRY="true",
            RESTATE_INGRESS__BIND_ADDRESS=f"127.0.0.1:{self.ingress}",
            RESTATE_ADMIN__BIND_ADDRESS=f"127.0.0.1:{self.admin}",
            RESTATE_BIND_ADDRESS=f"127.0.0.1:{self.fabric}",
        )
        words = [program, "--base-dir", f"{self.folder}/engine", "--node-name", "n1", "--no-logo", "--listen-mode", "tcp"]
        self.engine = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until("the engine answers", lambda: answer(f"http://127.0.0.1:{self.admin}/health") is not None)
        engine = f"\n[live.engines.test]\nurl = 'http://127.0.0.1:{self.ingress}'\nadmin = 'http://127.0.0.1:{self.admin}'\n"
        self.write("nodewise.toml", TOOLS + engine)
        self.write("functions.py", FUNCTIONS)
        self.write("row.yaml", row("row", CALLS, False))
        self.write("wait.yaml", row("wait", 0, True))
        self.write("long.yaml", row("long", ANSWERS, True))
        for graph in ["row", "wait", "long"]:
            self.write(f"{graph}.json", self.told("run", f"{graph}.yaml", "--dry-run", "--format", "json"))
        self.worker = None
        self.start_worker()

    def write(self, path, text):
        with open(f"{self.folder}/{path}", "w") as file:
            file.write(text)

    def told(self, *words):
        environment = dict(os.environ, XDG_STATE_HOME=f"{self.folder}/state")
        done = subprocess.run([self.nodewise, *words], cwd=self.folder, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{words}: {done.stderr}")
        return done.stdout.strip()

    def start(self, graph):
        return self.told("run", f"{graph}.yaml", "--on", "test", "--trust", "--detach")

    def start_worker(self):
        words = [self.nodewise, "serve", "--listen", f"127.0.0.1:{self.port}"]
        for graph in ["row", "wait", "long"]:
            words += ["--allow", f"{graph}.json"]
        words += ["--register", f"http://127.0.0.1:{self.admin}", "--as", f"http://127.0.0.1:{self.port}"]
        log = open(f"{self.folder}/worker.log", "a")
        self.worker = subprocess.Popen(words, cwd=self.folder, stderr=log)
        until("the worker answers", lambda: answer(f"http://127.0.0.1:{self.port}/healthz") == "ok\n")
        until("the worker is registered", lambda: "listening on" in open(f"{self.folder}/worker.log").read())

    def figure(self, name):
        lines = answer(f"http://127.0.0.1:{self.port}/metrics").splitlines()
        return int(next(line for line in lines if line.startswith(f"{name} ")).split()[1])

    def query(self, query):
        return json.loads(answer(f"http://127.0.0.1:{self.admin}/query", {"query": query}))["rows"]

    def attach(self, run):
        """Waits for the end of a run."""
        answer(f"http://127.0.0.1:{self.ingress}/restate/workflow/nodewise.v1.Runs/{run}/attach")

    def close(self):
        for process in [self.worker, self.engine]:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)


def per_call(events):
    """The time of a call in the time of the run, in milliseconds."""
    return json.loads(events.splitlines()[-1])["at"] / CALLS


def main():
    scene = Scene(*sys.argv[1:])
    print(f"load {os.getloadavg()[0]:.1f} at the beginning", flush=True)
    local, remote = [], []
    for _ in range(3):
        scene.told("run", "row.yaml", "--trust", "--no-progress")
        local.append(per_call(scene.told("runs", "show", "last", "--format", "events")))
        run = scene.start("row")
        scene.attach(run)
        remote.append(per_call(scene.told("runs", "show", run, "--on", "test", "--format", "events")))
    both = f"{min(local):.1f} ms local, {min(remote):.1f} ms on the engine"
    print(f"a call, best of 3 runs of {CALLS}: {both}, load {os.getloadavg()[0]:.1f}", flush=True)

    before = scene.figure("nodewise_calls_total")
    for _ in range(RUNS):
        scene.start("row")
    begun, at = scene.figure("nodewise_calls_total"), time.monotonic()
    wanted = before + RUNS * CALLS
    until("all calls are made", lambda: scene.figure("nodewise_calls_total") >= wanted)
    rate = (wanted - begun) / (time.monotonic() - at)
    print(f"calls a second, {RUNS} runs side by side: {rate:.0f}, load {os.getloadavg()[0]:.1f}", flush=True)

    for _ in range(WAITING):
        scene.start("wait")
    suspended = "SELECT count(*) AS n FROM sys_invocation WHERE target_service_name = 'nodewise.v1.Runs' AND status = 'suspended'"
    took = until("all runs are suspended", lambda: scene.query(suspended)[0]["n"] >= WAITING)
    sizes = f"worker {memory(scene.worker):.0f} MiB, engine {memory(scene.engine):.0f} MiB"
    print(f"{WAITING} waiting runs: all suspended {took:.0f} s after the last start; {sizes}", flush=True)

    run = scene.start("long")
    waiting = f"SELECT value_utf8 FROM state WHERE service_key = '{run}' AND key = 'standing'"
    is_waiting = lambda: any('"waiting"' in row["value_utf8"] for row in scene.query(waiting))
    until("the long run waits", is_waiting)
    scene.worker.kill()
    scene.worker.wait()
    scene.start_worker()
    scene.told("resume", run, "--on", "test", "--approve", "--detach")
    at = time.monotonic()
    scene.attach(run)
    took = time.monotonic() - at
    print(f"{ANSWERS} answers replayed by a new worker, and the run ended: {took:.2f} s, load {os.getloadavg()[0]:.1f}", flush=True)
    scene.close()


main()
