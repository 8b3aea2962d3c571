"""Effects that can be counted: each call adds a line when it begins, and one when it is done."""

import os
import time


def effect(**arguments):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "effects.log")
    line = f"{os.getpid()}\n"
    with open(path, "a") as log:
        log.write("begin " + line)
    time.sleep(0.2)
    with open(path, "a") as log:
        log.write("done " + line)
    return "done"
