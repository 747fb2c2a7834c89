"""A model that says what a test wrote down: one server on loopback that speaks the protocols of the agents.

A script is a list of turns; a turn is a list of calls `(tool, arguments)`, and after the last one the model says "done". For an agent
without tools a turn is a text, which the model says in a conversation that is streamed.
Which turn it is stands in the request itself (the calls made so far), so a request that is sent again gets the same answer.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: What every client is asked.
PROMPT = "make the edit"


class Model:
    """A scripted model. `heard` holds every request of the conversation, the latest last.

    A sub-agent, whose requests do not have the prompt of the test, follows `inner`.
    """

    def __init__(self, script, inner=None):
        self.script, self.inner = script, inner
        self.heard = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                size = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(size) or b"{}")
                kind, answer = model.answer(self.path, body)
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def do_GET(self):
                self.send_response(404)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_):
                """An agent that is killed in the middle of a request is no news."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def last(self):
        """The latest request as text: all that the model knows in the end."""
        return json.dumps(self.heard[-1], ensure_ascii=False) if self.heard else ""

    def turn(self, body, made):
        """The calls to make now, or none when the script is at its end."""
        self.heard.append(body)
        script = self.script if self.inner is None or PROMPT in json.dumps(body) else self.inner
        return script[made] if made < len(script) else None

    def answer(self, path, body):
        if path.endswith("/responses"):
            return events(self.responses(body))
        if "/messages" in path:
            if path.split("?")[0].endswith("count_tokens"):
                return plain({"input_tokens": 10})
            return events(self.messages(body))
        if path.endswith("/chat/completions"):
            answer = self.completions(body)
            return events(answer) if isinstance(answer, list) else plain(answer)
        if "streamGenerateContent" in path:
            return events([(None, self.gemini(body))])
        if "generateContent" in path:
            return plain(self.gemini(body))
        if "countTokens" in path:
            return plain({"totalTokens": 10})
        return plain({})

    def responses(self, body):
        """OpenAI's responses, as Codex asks."""
        made = {i["call_id"] for i in body.get("input", []) if i.get("type", "").endswith("tool_call") or i.get("type") == "function_call"}
        made = len({call.rsplit("_", 1)[0] for call in made})
        calls = self.turn(body, made) if body.get("tools") else None
        items = [
            # A text is a custom tool's input, anything else a function's arguments.
            {"type": "custom_tool_call", "id": f"ctc_{made}_{n}", "call_id": f"call_{made}_{n}", "name": tool, "input": text, "status": "completed"}
            if isinstance(text, str) else
            {"type": "function_call", "id": f"fc_{made}_{n}", "call_id": f"call_{made}_{n}", **named(tool), "arguments": json.dumps(text), "status": "completed"}
            for n, (tool, text) in enumerate(calls or [])
        ] or [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "done", "annotations": []}]}]
        usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
        out = [("response.created", {"type": "response.created", "response": {"id": "resp_1"}})]
        for n, item in enumerate(items):
            out.append(("response.output_item.added", {"type": "response.output_item.added", "output_index": n, "item": item}))
            out.append(("response.output_item.done", {"type": "response.output_item.done", "output_index": n, "item": item}))
        out.append(("response.completed", {"type": "response.completed", "response": {"id": "resp_1", "output": items, "usage": usage}}))
        return out

    def messages(self, body):
        """Anthropic's messages, as Claude Code asks."""
        asked = [part for m in body["messages"] if m["role"] == "assistant" and isinstance(m["content"], list) for part in m["content"]]
        made = len({part["id"].rsplit("_", 1)[0] for part in asked if part["type"] == "tool_use"})
        calls = self.turn(body, made) if body.get("tools") else None
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": [], "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1}}
        out = [("message_start", {"type": "message_start", "message": message})]
        blocks = [({"type": "tool_use", "id": f"toolu_{made}_{n}", "name": tool, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(args)}) for n, (tool, args) in enumerate(calls or [])]
        blocks = blocks or [({"type": "text", "text": ""}, {"type": "text_delta", "text": "done"})]
        for n, (block, delta) in enumerate(blocks):
            out.append(("content_block_start", {"type": "content_block_start", "index": n, "content_block": block}))
            out.append(("content_block_delta", {"type": "content_block_delta", "index": n, "delta": delta}))
            out.append(("content_block_stop", {"type": "content_block_stop", "index": n}))
        reason = "tool_use" if calls else "end_turn"
        out.append(("message_delta", {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 5}}))
        out.append(("message_stop", {"type": "message_stop"}))
        return out

    def completions(self, body):
        """OpenAI's chat completions, as opencode and Aider ask."""
        is_text = isinstance(self.script[0], str)
        said = lambda m: m.get("content") in self.script if is_text else m.get("tool_calls")
        made = sum(1 for m in body["messages"] if m["role"] == "assistant" and said(m))
        calls = self.turn(body, made) if body.get("stream" if is_text else "tools") else None
        base = {"id": "chat_1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        if is_text:
            delta = {"role": "assistant", "content": calls or "done"}
            calls = None
        elif calls:
            delta = {"role": "assistant", "tool_calls": [{"index": n, "id": f"call_{made}_{n}", "type": "function", "function": {"name": tool, "arguments": json.dumps(args)}} for n, (tool, args) in enumerate(calls)]}
        else:
            delta = {"role": "assistant", "content": "done"}
        end = "tool_calls" if calls else "stop"
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        if not body.get("stream"):
            return {**base, "object": "chat.completion", "choices": [{"index": 0, "message": delta, "finish_reason": end}], "usage": usage}
        return [
            (None, {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
            (None, {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}),
            (None, "[DONE]"),
        ]

    def gemini(self, body):
        """Gemini's generateContent."""
        made = sum(1 for c in body.get("contents", []) if c.get("role") == "model" and any("functionCall" in p for p in c["parts"]))
        calls = self.turn(body, made) if body.get("tools") else None
        parts = [{"functionCall": {"name": tool, "args": args}} for tool, args in calls or []] or [{"text": "done"}]
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}


def named(tool):
    """The name of a function, as `NAMESPACE/NAME` where it has a namespace."""
    *namespace, name = tool.split("/")
    return {"name": name, **({"namespace": namespace[0]} if namespace else {})}


def events(items):
    """Server-sent events."""
    text = ""
    for name, data in items:
        data = data if isinstance(data, str) else json.dumps(data)
        text += (f"event: {name}\n" if name else "") + f"data: {data}\n\n"
    return "text/event-stream", text.encode()


def plain(value):
    """One JSON value."""
    return "application/json", json.dumps(value).encode()
