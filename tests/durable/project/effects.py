"""Effects that can be counted: each call adds a line when it begins, and one when it is done."""

import os
import signal
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))


def tell(word, key):
    with open(os.path.join(FOLDER, "effects.log"), "a") as log:
        log.write(f"{word} {key}\n")


def effect(idempotency_key, **_):
    tell("begin", idempotency_key)
    time.sleep(float(os.environ.get("EFFECT_SECONDS", "0.3")))
    tell("done", idempotency_key)
    return "done"


def large(idempotency_key, **_):
    tell("begin", idempotency_key)
    return "x" * (40 * 1024 * 1024)


def fatal(idempotency_key, **_):
    tell("begin", idempotency_key)
    tell("done", idempotency_key)
    mark = os.path.join(FOLDER, "worker-was-killed")
    if not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(5)
    return "done"
