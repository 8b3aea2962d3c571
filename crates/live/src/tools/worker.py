"""The process that calls a workspace's Python functions for nodewise.

Reads questions from its standard input and writes answers to its standard output, a line of JSON each. What functions print
goes to standard error instead. When its input ends, it ends itself, whatever it is doing.
"""

import collections.abc
import contextvars
import dataclasses
import datetime
import enum
import importlib
import inspect
import json
import math
import os
import queue
import signal
import sys
import threading
import traceback
import types
import typing

# The reader of the answers nests no deeper.
DEEPEST = 100
LONGEST = 16 * 1024 * 1024
TRACED_FRAMES = 6

# What Python's types are called in JSON Schema.
SCHEMAS = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", tuple: "array", dict: "object"}


# What functions see of the call that they are in: `from nodewise_run import idempotency_key`.
KEY = "idempotency_key"
CURRENT_KEY = contextvars.ContextVar(KEY, default=None)
RUN_MODULE = types.ModuleType("nodewise_run", "The call that a function of a live run is in.")
setattr(RUN_MODULE, KEY, CURRENT_KEY)
sys.modules[RUN_MODULE.__name__] = RUN_MODULE


class Refused(Exception):
    """A call that cannot be made, and would not be possible the next time either."""

    def __init__(self, name, message, below=None):
        super().__init__(message)
        self.name = name
        self.below = below


class State:
    """What Liman keeps of a node between its visits, as far as functions write it."""

    def __init__(self):
        self.context = {}


class ExecutionContext:
    def __init__(self):
        self.node_state = State()


class Liman:
    """Stands for Liman's own object of this name: functions may set the context of their node."""

    def __init__(self):
        self.execution_context = ExecutionContext()

    def get(self, key):
        return getattr(self.execution_context, key)

    def set(self):
        pass

    def __getattr__(self, name):
        raise AttributeError("nodewise runs without Liman's runtime, so `liman.%s` is not available" % name)


def main():
    answers = os.fdopen(os.dup(1), "wb")
    questions = os.fdopen(os.dup(0), "rb")
    # Neither functions nor what they start reach the two pipes.
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")
    sys.path[:0] = json.loads(sys.argv[1])
    is_shared = sys.argv[2:] == ["shared"]
    sys.argv = [""]
    if is_shared:
        import asyncio

        return asyncio.run(serve(questions, answers))
    waiting = queue.SimpleQueue()
    threading.Thread(target=read, args=(questions, waiting), daemon=True).start()
    send(answers, {"python": "%d.%d.%d" % sys.version_info[:3]})
    worker = Worker()
    while True:
        send(answers, worker.answer(waiting.get()))


def read(questions, waiting):
    for line in questions:
        waiting.put(json.loads(line))
    end()


async def serve(questions, answers):
    """Answers calls of async functions side by side. A question has a number; one with nothing else gives the call up."""
    import asyncio

    loop, waiting, calls = asyncio.get_running_loop(), asyncio.Queue(), {}

    def listen():
        for line in questions:
            loop.call_soon_threadsafe(waiting.put_nowait, json.loads(line))
        end()

    async def answer(number, question):
        try:
            answered = await answered_side_by_side(question)
        except asyncio.CancelledError:
            answered = failure(Refused("CancelledError", "the call was given up"))
        calls.pop(number, None)
        send(answers, dict(answered, number=number))

    threading.Thread(target=listen, daemon=True).start()
    send(answers, {"python": "%d.%d.%d" % sys.version_info[:3]})
    while True:
        question = await waiting.get()
        number = question["number"]
        if "function" in question:
            calls[number] = loop.create_task(answer(number, question))
        elif number in calls:
            calls[number].cancel()


async def answered_side_by_side(question):
    notes, liman = [], Liman()
    try:
        value = begun(question, liman)
        if inspect.isawaitable(value):
            value = await value
        return finished(value, liman, notes)
    except Refused as refused:
        return failure(refused)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return failure(error)


def end():
    """Ends the process, and what its functions started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def send(answers, answer):
    sys.stdout.flush()
    sys.stderr.flush()
    line = json.dumps(answer, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) > LONGEST:
        answer = failure(Refused("ValueError", "the result is larger than %d MB as JSON" % (LONGEST >> 20)))
        line = json.dumps(answer).encode("ascii") + b"\n"
    answers.write(line)
    answers.flush()


class Worker:
    def __init__(self):
        self.loop = None

    def answer(self, question):
        notes, liman = [], Liman()
        try:
            if question["how"] == "describe":
                return {"value": described(find(question["function"]))}
            return finished(self.awaited(begun(question, liman)), liman, notes)
        except Refused as refused:
            return failure(refused)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            return failure(error)

    def awaited(self, value):
        if not inspect.isawaitable(value):
            return value
        import asyncio

        if self.loop is None:
            # One loop for all calls, since clients that modules keep belong to the loop of their first use.
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)

        async def wait():
            return await value

        return self.loop.run_until_complete(wait())


def begun(question, liman):
    """Calls the function; what it returns may have to be awaited."""
    function = find(question["function"])
    CURRENT_KEY.set(question["key"])
    positional, named = arguments(function, question["how"], question["input"], liman)
    return function(*positional, **named)


def finished(value, liman, notes):
    """The answer to a call that returned a value."""
    answer = {"value": plain(value, notes, 0)}
    if liman.execution_context.node_state.context:
        answer["context"] = plain(liman.execution_context.node_state.context, notes, 0)
    if notes:
        answer["notes"] = notes
    return answer


def find(path):
    module_name, _, name = path.rpartition(".")
    if not module_name or not name or module_name.startswith("."):
        raise Refused("ImportError", "`%s` is not the path of a function: write `module.function`" % path)
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        message = "cannot import `%s`, the module of `%s`: %s" % (module_name, path, error)
        raise Refused(type(error).__name__, message, error)
    try:
        function = getattr(module, name)
    except AttributeError as error:
        raise Refused("AttributeError", "%s" % error)
    if not callable(function):
        raise Refused("TypeError", "`%s` is a value of type %s, not a function" % (path, type(function).__name__))
    return function


def signature(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None, {}
    try:
        hints = typing.get_type_hints(function)
    except Exception:
        hints = {}
    return list(parameters), hints


def is_runtime(parameter, hints):
    """Whether Liman's own object is meant, by name or by type."""
    hint = hints.get(parameter.name, parameter.annotation)
    is_type = getattr(hint, "__name__", None) == "Liman" and str(getattr(hint, "__module__", "")).startswith("liman")
    return is_type or parameter.name == "liman"


def is_key(parameter, given):
    """Whether the function asks for the idempotency key of its call, and not for an argument of this name."""
    is_named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    return parameter.name == KEY and is_named and not (isinstance(given, dict) and KEY in given)


def arguments(function, how, given, liman):
    """What the function is called with: positional and by name."""
    parameters, hints = signature(function)
    if parameters is None:
        return ([], given) if isinstance(given, dict) else ([] if given is None else [given], {})
    runtime = {parameter.name: liman for parameter in parameters if is_runtime(parameter, hints)}
    runtime.update({parameter.name: CURRENT_KEY.get() for parameter in parameters if is_key(parameter, given)})
    own = [parameter for parameter in parameters if parameter.name not in runtime]
    if how == "input" and not given and not isinstance(given, (bool, int, float, str)):
        return [], runtime
    if not isinstance(given, dict):
        takes_one = any(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.VAR_POSITIONAL) for parameter in own)
        return [given] if takes_one else [], runtime
    is_open = any(parameter.kind is parameter.VAR_KEYWORD for parameter in own)
    if how != "tool" and not is_open and own and not any(parameter.name in given for parameter in own):
        # The function takes the mapping itself.
        return [given], runtime
    positional, named = [], dict(runtime)
    for parameter in own:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name in given:
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(given[parameter.name])
            else:
                named[parameter.name] = given[parameter.name]
        elif parameter.default is parameter.empty:
            raise Refused("ValueError", "Required parameter is missing: '%s'" % parameter.name)
    if is_open:
        known = {parameter.name for parameter in parameters}
        named.update((name, value) for name, value in given.items() if name not in known)
    return positional, named


def described(function):
    """The function as a tool: its documentation, and its parameters as JSON Schema."""
    parameters, hints = signature(function)
    properties, required = {}, []
    for parameter in parameters or ():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or is_runtime(parameter, hints) or is_key(parameter, None):
            continue
        properties[parameter.name] = schema(hints.get(parameter.name, parameter.annotation))
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    return {
        "is_async": inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)),
        "description": inspect.getdoc(function),
        "parameters": {"type": "object", "properties": properties, "required": required},
    }


def schema(hint):
    """What a type hint says, as JSON Schema; nothing where it is not one of the plain types."""
    if hint in SCHEMAS:
        return {"type": SCHEMAS[hint]}
    origin = typing.get_origin(hint)
    if origin in SCHEMAS:
        return {"type": SCHEMAS[origin]}
    if origin is typing.Literal:
        return {"enum": list(typing.get_args(hint))}
    kinds = typing.get_args(hint)
    if origin is not None and type(None) in kinds:
        known = [schema(kind) for kind in kinds if kind is not type(None)]
        if all(known):
            return {"anyOf": known + [{"type": "null"}]}
    return {}


def plain(value, notes, depth):
    """A value as JSON can say it."""
    if depth > DEEPEST:
        raise ValueError("the result is nested deeper than %d" % DEEPEST)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value, notes, depth + 1)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, int):
        return plain_integer(int(value), notes)
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        notes.append("JSON cannot hold %r, which became null" % float(value))
        return None
    if isinstance(value, dict):
        return {plain_key(key): plain(item, notes, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item, notes, depth + 1) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name), notes, depth + 1) for field in fields}
    if not isinstance(value, type) and callable(getattr(value, "model_dump", None)):
        return plain(value.model_dump(), notes, depth + 1)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fsdecode(os.fspath(value))
    if isinstance(value, (collections.abc.Iterator, collections.abc.AsyncIterator)):
        # Its text would be the place in memory, and the values would be lost.
        name = type(value).__name__
        raise Refused("TypeError", "the result has a value of type %s, which gives its items one by one: return a list" % name)
    notes.append("a value of type %s was converted to text" % type(value).__name__)
    return plain(str(value), notes, depth + 1)


def plain_integer(value, notes):
    """A whole number, if readers of JSON can hold it. They hold 53 bits of it."""
    try:
        held = int(float(value))
    except OverflowError:
        raise Refused("OverflowError", "the result has a whole number above 1.8e308, which JSON cannot hold: return it as text")
    if held != value:
        notes.append("JSON cannot hold all digits of %d, which became %r" % (value, float(value)))
    return value


def plain_key(key):
    return plain(key if isinstance(key, str) else str(key), [], 0)


def failure(error):
    """An exception as the answer to a call."""
    if isinstance(error, Refused):
        found = {"class": error.name, "message": plain(str(error), [], 0), "lasts": True}
        error = error.below
    else:
        found = {"class": type(error).__name__, "message": plain(str(error), [], 0), "lasts": False}
        below = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if below is not None:
            found["cause"] = type(below).__name__
    if error is not None:
        found["traceback"] = traced(error)
    return {"error": found}


def traced(error):
    """Where an exception came from: the last frames that are not of this file or of the import system."""
    own = (__file_name__, "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>", importlib.__file__)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in own]
    lines = traceback.format_list(frames[-TRACED_FRAMES:]) + traceback.format_exception_only(type(error), error)
    return [plain(line, [], 0) for line in "".join(lines).splitlines()]


__file_name__ = (lambda: 0).__code__.co_filename

main()
