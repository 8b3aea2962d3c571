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
from multiprocessing.pool import ThreadPool

CALLS = 100
RUNS = 20
WAITING = 1000
ANSWERS = 1000
# Runs end after 50 steps unless the program around the graph says otherwise.
HOST = "script: The program allows long runs.\nhost: {max_iterations: 5000}\n"
SCRIPT = ["--script", "host.script.yaml"]

FUNCTIONS = """
import os
import time


def instant(**_):
    while os.path.exists("hold"):
        time.sleep(0.02)
    return "done"
"""
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


def memory(process, name="VmRSS"):
    """The resident memory, in MiB; `RssAnon` is without the program and its libraries."""
    with open(f"/proc/{process.pid}/status") as status:
        line = next(line for line in status if line.startswith(f"{name}:"))
    return int(line.split()[1]) / 1024


def processor_time(processes):
    """The processor time of processes and those that they started, in seconds."""
    parents, times = {}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(path.split("/")[2])
        # Those that ended are counted with the process that started them.
        parents[number], times[number] = int(fields[1]), sum(map(int, fields[11:15]))
    known = {process.pid for process in processes}
    for number in sorted(parents):
        if parents[number] in known:
            known.add(number)
    return sum(times.get(number, 0) for number in known) / os.sysconf("SC_CLK_TCK")


def load():
    return f"load {os.getloadavg()[0]:.1f}"


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
        self.write("host.script.yaml", HOST)
        self.write("row.yaml", row("row", CALLS, False))
        self.write("wait.yaml", row("wait", 0, True))
        self.write("long.yaml", row("long", ANSWERS, True))
        for graph in ["row", "wait", "long"]:
            self.write(f"{graph}.json", self.output_of("run", f"{graph}.yaml", "--dry-run", "--format", "json"))
        self.worker = None
        self.start_worker()

    def write(self, path, text):
        with open(f"{self.folder}/{path}", "w") as file:
            file.write(text)

    def output_of(self, *words):
        environment = dict(os.environ, XDG_STATE_HOME=f"{self.folder}/state")
        done = subprocess.run([self.nodewise, *words], cwd=self.folder, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{words}: {done.stderr or done.stdout[-1000:]}")
        return done.stdout.strip()

    def start(self, graph):
        return self.output_of("run", f"{graph}.yaml", "--on", "test", "--trust", "--detach", *SCRIPT)

    def start_worker(self):
        words = [self.nodewise, "serve", "--listen", f"127.0.0.1:{self.port}"]
        for graph in ["row", "wait", "long"]:
            words += ["--allow", f"{graph}.json"]
        words += ["--register", f"http://127.0.0.1:{self.admin}", "--as", f"http://127.0.0.1:{self.port}"]
        log = open(f"{self.folder}/worker.log", "a")
        self.worker = subprocess.Popen(words, cwd=self.folder, stderr=log)
        until("the worker answers", lambda: answer(f"http://127.0.0.1:{self.port}/healthz") == "ok\n")
        until("the worker is registered", lambda: "listening on" in open(f"{self.folder}/worker.log").read())

    def restart_worker(self):
        self.worker.kill()
        self.worker.wait()
        self.start_worker()

    def figure(self, name):
        lines = answer(f"http://127.0.0.1:{self.port}/metrics").splitlines()
        return int(next(line for line in lines if line.startswith(f"{name} ")).split()[1])

    def query(self, query):
        return json.loads(answer(f"http://127.0.0.1:{self.admin}/query", {"query": query}))["rows"]

    def hold(self):
        self.write("hold", "")

    def release(self):
        os.remove(f"{self.folder}/hold")

    def processor_time(self):
        return processor_time([self.worker, self.engine])

    def sizes(self):
        worker = f"worker {memory(self.worker):.0f} MiB, of which {memory(self.worker, 'RssAnon'):.0f} MiB are data"
        return f"{worker}; engine {memory(self.engine):.0f} MiB"

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


def figures(scene):
    print(f"{load()} at the beginning", flush=True)
    local, remote = [], []
    for _ in range(3):
        before = os.times()
        scene.output_of("run", "row.yaml", "--trust", "--no-progress", *SCRIPT)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        local.append((per_call(scene.output_of("runs", "show", "last", "--format", "events")), used * 1000 / CALLS))
        used = scene.processor_time()
        run = scene.start("row")
        scene.attach(run)
        used = scene.processor_time() - used
        events = scene.output_of("runs", "show", run, "--on", "test", "--format", "events")
        remote.append((per_call(events), used * 1000 / CALLS))
    for name, measured in [("in its own process", local), ("on the engine", remote)]:
        (time_of, used) = min(measured)
        print(f"a call {name}, best of 3 runs of {CALLS}: {time_of:.1f} ms, processors {used:.1f} ms, {load()}", flush=True)

    scene.hold()
    for _ in range(RUNS):
        scene.start("row")
    before, at, used = scene.figure("nodewise_calls_total"), time.monotonic(), scene.processor_time()
    scene.release()
    until("all calls are made", lambda: scene.figure("nodewise_calls_total") >= before + RUNS * (CALLS - 1))
    took, used = time.monotonic() - at, scene.processor_time() - used
    count = RUNS * (CALLS - 1)
    each = f"processors {used * 1000 / count:.1f} ms each"
    print(f"calls a second, {RUNS} runs side by side: {count / took:.0f}, {each}, {load()}", flush=True)

    # What other runs left behind in the memory of a worker is no cost of those that wait.
    scene.restart_worker()
    print(f"worker before there are waiting runs: {scene.sizes()}", flush=True)
    at = time.monotonic()
    with ThreadPool(8) as starters:
        starters.map(lambda _: scene.start("wait"), range(WAITING))
    started = time.monotonic() - at
    suspended = "SELECT count(*) AS n FROM sys_invocation WHERE target_service_name = 'nodewise.v1.Runs' AND status = 'suspended'"
    took = until("all runs are suspended", lambda: scene.query(suspended)[0]["n"] >= WAITING)
    print(f"{WAITING} waiting runs, started in {started:.0f} s, all suspended {took:.0f} s later: {scene.sizes()}", flush=True)

    run = scene.start("long")
    waiting = f"SELECT value_utf8 FROM state WHERE service_key = '{run}' AND key = 'standing'"
    until("the long run waits", lambda: any('"waiting"' in row["value_utf8"] for row in scene.query(waiting)))
    scene.restart_worker()
    used = processor_time([scene.worker])
    at = time.monotonic()
    scene.output_of("resume", run, "--on", "test", "--approve", "--detach")
    scene.attach(run)
    took, used = time.monotonic() - at, processor_time([scene.worker]) - used
    replayed = f"{ANSWERS} answers replayed by a new worker, and the run ended"
    print(f"{replayed}: {took:.2f} s, processors of the worker {used:.2f} s, {load()}", flush=True)


def main():
    scene = Scene(*sys.argv[1:])
    try:
        figures(scene)
    finally:
        scene.close()


if __name__ == "__main__":
    main()
