#!/usr/bin/env python3
"""directory + script -> visited node sequence and outputs, from the real Agent/Executor/NodeActor.

The oracle asks `summary` for many runs in one process; by hand:
usage: run.py DIR SCRIPT.json [--pretty] [--timeout SECONDS]

SCRIPT: {
  "start": "LLMNode/chat",              # the package's own Kind/name form
  "turns": ["hello", ...],              # one Agent.step per entry; {"input": "...", "context": {...}} also works
  "context": {...},                     # given to every step that has none of its own
  "llm": [REPLY, ...] | {"LLMNode/chat": [REPLY, ...]},     # consumed in order (globally, or a node)
  "tools": {"name": {"returns": X | "seq": [X, ...] | "raises": "text", "context": {...}, "sleep": 0.01}},
  "functions": {"name": {"returns": X}},                    # FunctionNode bodies
  "service_accounts": [ {spec}, ... ],  # registered by hand (the loader skips the kind)
  "max_iterations": 50, "links": {"LLMNode/chat": ["tool"]}
}
REPLY: "text" | {"content": "...", "tool_calls": [{"name": "t", "args": {...}, "id": "c1"}]} | {"structured": {...}} | {"raise": "text"}
"context" of a tool is merged into its node state (liman_core 0.1.0 and later); an exhausted reply list raises.
`turns[i].visited` is the node sequence; `trace` has executor (E0, E1, ...) and actor (A0, ...) labels in order of first use.
"""
from __future__ import annotations

import argparse
import asyncio
import contextvars
import importlib
import inspect
import json
import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from liman.agent import Agent
from liman.executor.base import Executor
from liman_core.node_actor.actor import NodeActor

from _common import can_inject, emit, error_record, plain, versions

logging.disable(logging.CRITICAL)
# A visit takes some tens of ticks of the event loop.
QUIET_TICKS = 2000

CUR_EXEC: contextvars.ContextVar[str] = contextvars.ContextVar("cur_exec", default="?")
CUR_NODE: contextvars.ContextVar[str] = contextvars.ContextVar("cur_node", default="?")
TRACE: list[dict[str, Any]] = []
LLM_CALLS: list[dict[str, Any]] = []
# The same calls with everything that the model is given.
SENT: list[dict[str, Any]] = []
LABELS: dict[str, dict[int, str]] = {"E": {}, "A": {}}
KEEP: list[Any] = []


def label(prefix: str, obj: Any) -> str:
    KEEP.append(obj)
    return LABELS[prefix].setdefault(id(obj), f"{prefix}{len(LABELS[prefix])}")


def brief(v: Any) -> Any:
    if isinstance(v, BaseMessage):
        d: dict[str, Any] = {v.type: v.content}
        if getattr(v, "tool_calls", None):
            d["tool_calls"] = [{"name": t["name"], "args": t["args"], "id": t["id"]} for t in v.tool_calls]
        if v.type == "tool":
            d["name"], d["id"] = v.name, v.tool_call_id
        return d
    if isinstance(v, (list, tuple)):
        return [brief(x) for x in v]
    return plain(v)


class ScriptedLLM(BaseChatModel):
    replies: Any = None

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _next(self, messages: Any, kwargs: dict[str, Any], schema: Any = None) -> Any:
        node = CUR_NODE.get()
        SENT.append({"node": node, "messages": list(messages), "tools": kwargs.get("tools") or [], "schema": schema})
        LLM_CALLS.append(
            {
                "node": node,
                "messages": [brief(m) for m in messages],
                "tools": [t["function"]["name"] for t in kwargs.get("tools") or []],
            }
        )
        queue = self.replies.get(node, []) if isinstance(self.replies, dict) else self.replies
        if not queue:
            raise RuntimeError("scripted replies exhausted")
        reply = queue.pop(0)
        if isinstance(reply, dict) and "raise" in reply:
            raise RuntimeError(reply["raise"])
        return reply

    async def _agenerate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kw: Any) -> ChatResult:
        # Without the thread that the base class would begin: a run is then the same every time.
        return self._generate(messages, stop, run_manager, **kw)

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kw: Any) -> ChatResult:
        r = self._next(messages, kw)
        if isinstance(r, str):
            msg = AIMessage(content=r)
        else:
            msg = AIMessage(
                content=r.get("content", ""),
                tool_calls=[
                    {"name": t["name"], "args": t.get("args", {}), "id": t.get("id"), "type": "tool_call"}
                    for t in r.get("tool_calls", [])
                ],
            )
        return ChatResult(generations=[ChatGeneration(message=msg)])

    def with_structured_output(self, schema: Any, **kw: Any) -> Any:  # type: ignore[override]
        return RunnableLambda(lambda msgs: self._next(msgs, {}, schema)["structured"])


def make_tool(name: str, conf: dict[str, Any], spec: Any) -> Any:
    seq = list(conf["seq"]) if "seq" in conf else None

    async def body(**kw: Any) -> Any:
        liman = kw.pop("liman", None)
        if conf.get("sleep"):
            await asyncio.sleep(conf["sleep"])
        if conf.get("context") and liman is not None:
            liman.execution_context.node_state.context.update(conf["context"])
        if "raises" in conf:
            raise RuntimeError(conf["raises"])
        return seq.pop(0) if seq else conf.get("returns")

    K, E = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
    params = [
        inspect.Parameter(a.name, K, default=None if a.optional else E) for a in (spec.arguments or [])
    ]
    if conf.get("context") and can_inject():
        params.append(inspect.Parameter("liman", K))
    body.__annotations__ = {}
    body.__signature__ = inspect.Signature(params)  # type: ignore[attr-defined]
    return body


def patch() -> None:
    """Notes every visit; once for a process."""
    if getattr(NodeActor, "is_patched", False):
        return
    NodeActor.is_patched = True  # type: ignore[attr-defined]
    exec_name = "_execute" if hasattr(Executor, "_execute") else "_execute_node"
    orig_exec, orig_act = getattr(Executor, exec_name), NodeActor.execute

    async def wrapped_exec(self: Any, input_: Any) -> Any:
        CUR_EXEC.set(label("E", self))
        return await orig_exec(self, input_)

    async def wrapped_act(self: Any, input_: Any, execution_id: Any, context: Any = None) -> Any:
        CUR_NODE.set(self.node.full_name)
        row: dict[str, Any] = {
            "step": len(TRACE),
            "executor": CUR_EXEC.get(),
            "actor": label("A", self),
            "node": self.node.full_name,
            "input": brief(input_),
        }
        TRACE.append(row)
        try:
            res = await orig_act(self, input_, execution_id, context)
        except Exception as e:
            row["error"] = error_record(e)
            raise
        row["output"] = brief(res.output)
        row["next"] = [n.node.full_name for n in res.next_nodes]
        if getattr(self.node_state, "context", None):
            row["state_context"] = plain(self.node_state.context)
        if context:
            row["context"] = {k: plain(v) for k, v in context.items()}
        return res

    setattr(Executor, exec_name, wrapped_exec)
    NodeActor.execute = wrapped_act  # type: ignore[method-assign]


async def within(work: Any, timeout: float) -> Any:
    """The result, or a timeout as soon as nothing happens any more: nothing is ready, and no timer is set."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    end = loop.time() + timeout
    quiet = 0
    while not task.done():
        before = len(TRACE), len(LLM_CALLS)
        await asyncio.sleep(0)
        is_quiet = not loop._scheduled and before == (len(TRACE), len(LLM_CALLS))
        quiet = quiet + 1 if is_quiet else 0
        if quiet > QUIET_TICKS or loop.time() > end:
            task.cancel()
            raise asyncio.TimeoutError
    return task.result()


async def go(d: Path, script: dict[str, Any], timeout: float) -> dict[str, Any]:
    stray: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, c: stray.append(error_record(c["exception"]) if c.get("exception") else {"message": c.get("message")})
    )
    patch()
    agent = Agent(
        str(d),
        start_node=script.get("start", ""),
        llm=ScriptedLLM(replies=script.get("llm", [])),
        max_iterations=script.get("max_iterations", 50),
    )
    comps = agent.registry._components
    for sa in script.get("service_accounts", []):
        from liman_core.plugins.auth import ServiceAccount

        agent.registry.add(ServiceAccount.from_dict({"kind": "ServiceAccount", **sa}, agent.registry))
    for section, kind in (("tools", "ToolNode"), ("functions", "FunctionNode")):
        for name, conf in script.get(section, {}).items():
            node = comps.get(f"{kind}:{name}")
            if node is not None:
                node.set_func(make_tool(name, conf, node.spec) if kind == "ToolNode" else (lambda c: lambda: c.get("returns"))(conf))
    outputs: list[Any] = []
    for turn in script.get("turns", ["hi"]):
        t = turn if isinstance(turn, dict) else {"input": turn}
        ctx = t.get("context", script.get("context"))
        first = len(TRACE)
        try:
            takes_ctx = "context" in inspect.signature(agent.step).parameters  # absent in liman 0.1.0a4
            kw = {"context": ctx} if ctx is not None and takes_ctx else {}
            out = await within(agent.step(t["input"], **kw), timeout)
            outputs.append({"node": getattr(out, "node_fullname", None) or getattr(out, "node_full_name", None), "output": brief(out.node_output), "visited": [r["node"] for r in TRACE[first:]]})
        except asyncio.TimeoutError:
            outputs.append({"hang": True, "visited": [r["node"] for r in TRACE[first:]]})
        except Exception as e:
            outputs.append({"error": error_record(e), "visited": [r["node"] for r in TRACE[first:]]})
    import gc

    for _ in range(50):
        await asyncio.sleep(0)

    me = asyncio.current_task()
    for task in asyncio.all_tasks():
        if task is not me:
            task.cancel()
    await asyncio.sleep(0)
    gc.collect()
    return {
        "versions": versions(),
        "registry": sorted(comps),
        "turns": outputs,
        "trace": list(TRACE),
        "llm_calls": list(LLM_CALLS),
        "stray_errors": [s for s in stray if s.get("type") != "CancelledError"],
    }


def summary(question: dict[str, Any]) -> dict[str, Any]:
    """What becomes of an agent given as documents, functions of conditions and a script."""
    value = question["value"]
    documents = value.get("documents", [])
    files = {"agent.yaml": "".join(f"---\n{json.dumps(d, ensure_ascii=False)}\n" for d in documents)}
    bodies = [f"def {name}():\n    {statement(body)}\n" for name, body in value.get("functions", {}).items()]
    files["rules.py"] = "\n".join(bodies)
    found = describe(files, value.get("script", {}))
    turns = []
    for turn in found["turns"]:
        kept = {"visited": turn["visited"]}
        if turn.get("hang"):
            kept["hang"] = True
        elif "error" in turn:
            kept["error"] = turn["error"]["message"]
        else:
            kept["output"] = turn["output"]
        turns.append(kept)
    errors = [row["error"]["message"] for row in found["trace"] if "error" in row]
    return {"turns": turns, "errors": errors, "llm_calls": found["llm_calls"]}


def statement(body: dict[str, Any]) -> str:
    return f"raise RuntimeError({body['raises']!r})" if "raises" in body else f"return {body.get('returns')!r}"


def describe(files: dict[str, str], script: dict[str, Any], timeout: float = 5.0) -> dict[str, Any]:
    """A run in a folder with these files."""
    for kept in (TRACE, LLM_CALLS, SENT, KEEP, LABELS["E"], LABELS["A"]):
        kept.clear()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        modules = [Path(name).stem for name in files if name.endswith(".py")]
        for module in modules:
            sys.modules.pop(module, None)
        importlib.invalidate_caches()
        sys.path.insert(0, folder)
        try:
            return asyncio.run(go(Path(folder), script, timeout))
        finally:
            sys.path.remove(folder)
            for module in modules:
                sys.modules.pop(module, None)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir")
    ap.add_argument("script")
    ap.add_argument("--pretty", action="store_true")
    ap.add_argument("--timeout", type=float, default=3.0)
    a = ap.parse_args()
    d = Path(a.dir)
    sys.path.insert(0, str(d))
    text = sys.stdin.read() if a.script == "-" else Path(a.script).read_text(encoding="utf-8")
    emit(asyncio.run(go(d, json.loads(text), a.timeout)), a.pretty)


if __name__ == "__main__":
    main()
