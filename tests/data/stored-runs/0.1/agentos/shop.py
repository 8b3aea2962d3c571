"""Pays, and notes each payment in a file. While the file `hold` is there, a payment does not return."""

import os
import time


def pay(**state):
    with open("paid.txt", "a") as file:
        file.write("paid\n")
    while os.path.exists("hold"):
        time.sleep(0.02)
    return "paid"
