"""A program on a screen of its own, through tmux: keys go in, the screen comes out.

A test waits for what the screen shows, never for a time.
"""

import os
import shlex
import subprocess
import time

WIDTH, HEIGHT = 110, 36


class Terminal:
    """A program in a folder, with an environment of its own."""

    def __init__(self, folder, command, environment, patience):
        self.socket = f"nodewise-{os.getpid()}-{time.monotonic_ns()}"
        self.patience = patience
        words = ["exec", "env", *(f"{name}={value}" for name, value in sorted(environment.items())), *command]
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        self.tmux("new-session", "-d", "-c", folder, *size, shlex.join(words))

    def tmux(self, *arguments):
        command = ["tmux", "-u", "-L", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def keys(self, *keys):
        """Presses keys, each by its name or as a text. Not Escape: with a key right behind it, it would be one key with Alt."""
        for key in keys:
            self.tmux("send-keys", key)

    def screen(self):
        lines = [line.rstrip() for line in self.tmux("capture-pane", "-p").splitlines()]
        return "\n".join(lines).rstrip("\n") + "\n"

    def shows(self, *texts):
        """Waits until the screen shows all of some texts."""
        end = time.monotonic() + self.patience
        while True:
            screen = self.screen()
            missing = [text for text in texts if text not in screen]
            if not missing:
                return screen
            if time.monotonic() > end:
                raise AssertionError(f"the screen does not show {missing}:\n{screen}")
            time.sleep(0.05)

    def hides(self, text):
        """Waits until the screen does not show a text any more."""
        end = time.monotonic() + self.patience
        while text in self.screen():
            if time.monotonic() > end:
                raise AssertionError(f"the screen still shows {text}:\n{self.screen()}")
            time.sleep(0.05)

    def at_rest(self):
        """The screen, when nothing moves any more."""
        before, same = None, 0
        end = time.monotonic() + self.patience
        while same < 3 and time.monotonic() < end:
            now = self.screen()
            same = same + 1 if now == before else 0
            before = now
            time.sleep(0.15)
        return before

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True, check=False)
