"""A server of tools that speaks the Model Context Protocol through its standard streams: it knows the photos of claims."""

import json
import sys

PHOTOS = {"front.jpg": "A roof window, its glass broken.", "roof.jpg": "A bent window frame."}
READ_PHOTO = {
    "name": "read_photo",
    "description": "Says what a photo shows.",
    "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}


def answer(request):
    method, parameters = request["method"], request.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "documents", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [READ_PHOTO]}
    if method == "tools/call":
        name = parameters["arguments"]["name"]
        return {"content": [{"type": "text", "text": PHOTOS.get(name, "There is no such photo.")}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}), flush=True)
