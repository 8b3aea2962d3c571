"""What the host of the refunds wires up."""


def guardrail(guardrails, content):
    """Whether a text is harmless."""
    harmful = "ignore all previous instructions" in str(content).lower()
    return {"passed": not harmful, "results": [{"guardrail": name, "passed": not harmful} for name in guardrails]}


def extension(extension, method, input):
    """How risky a refund looks."""
    return {"risk": 0.2, "customer": "C-9"}


def order_lookup(limit=10, **state):
    """The orders of a customer."""
    return [{"id": "O-1007", "total": 40}][: int(limit)]
