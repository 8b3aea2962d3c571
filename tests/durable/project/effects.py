"""Effects that can be counted: each call adds a line when it begins, and one when it is done."""

import os
import signal
import time

# Who is killed: a call that outlives its worker has another parent, and must not kill that one.
WORKER = os.getppid()
FOLDER = os.path.dirname(os.path.abspath(__file__))


def tell(word, key):
    with open(os.path.join(FOLDER, "effects.log"), "a") as log:
        log.write(f"{word} {key}\n")


def seconds():
    """How long a call takes."""
    path = os.path.join(FOLDER, "effect-seconds")
    return float(open(path).read()) if os.path.exists(path) else 0.3


def effect(idempotency_key, **_):
    tell("begin", idempotency_key)
    time.sleep(seconds())
    while os.path.exists(os.path.join(FOLDER, "hold")):
        time.sleep(0.02)
    tell("done", idempotency_key)
    return "done"


def large(idempotency_key, **_):
    tell("begin", idempotency_key)
    return "x" * (40 * 1024 * 1024)


def fatal(idempotency_key, **_):
    tell("begin", idempotency_key)
    tell("done", idempotency_key)
    if takes_death():
        os.kill(WORKER, signal.SIGKILL)
        time.sleep(5)
    return "done"


def takes_death():
    """Whether the worker of this call dies: once for each time that the file for it is written."""
    try:
        os.remove(os.path.join(FOLDER, "death"))
        return True
    except FileNotFoundError:
        return False
