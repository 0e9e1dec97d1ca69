"""Firefox over WebDriver BiDi and WebKit over WebDriver: just enough of both for a smoke test, without a package.

Both get the same actions, because BiDi has adopted WebDriver's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from websockets.sync.client import ClientConnection, connect

SIZE = (1280, 800)
PATIENCE = 60.0  # Seconds.

# Collects the errors that the page reports from now on.
_LISTEN = """() => {
  window.complaints = [];
  addEventListener("error", ({ message }) => window.complaints.push(message));
  addEventListener("unhandledrejection", ({ reason }) => window.complaints.push(String(reason)));
}"""

# Where an element's middle is, once it has stopped moving for a few frames; otherwise null.
_MIDDLE = """async () => {
  const middle = () => {
    const box = document.querySelector(SELECTOR)?.getBoundingClientRect();
    return box?.width ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : null;
  };
  const before = middle();
  for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
  return before && String(before) === String(middle()) ? before : null;
}"""

# Nothing covers the element at this point.
_REACHABLE = "document.elementFromPoint(X, Y)?.closest(SELECTOR)"


def _wait_until(holds: Callable[[], bool]) -> None:
    """Check again and again until this is true: these browsers and their drivers don't report changes."""
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end, "it never became true"
        sleep(0.05)


class OtherBrowser(ABC):
    """One page in a browser that isn't Chromium."""

    @abstractmethod
    def _open(self, url: str) -> None: ...

    @abstractmethod
    def _run(self, script: str) -> Any: ...

    @abstractmethod
    def _act(self, *sources: dict[str, Any]) -> None: ...

    def go(self, url: str) -> None:
        self._open(url)
        self._run(_LISTEN)

    def run(self, script: str) -> Any:
        """Run a JavaScript function; returns its result, even if that's a promise."""
        return self._run(script)

    def until(self, expression: str) -> None:
        """Wait until this is true in the page."""
        _wait_until(lambda: bool(self._run(f"() => Boolean({expression})")))

    def middle(self, selector: str) -> tuple[int, int]:
        """Where an element is, once it has stopped moving."""
        found: list[tuple[int, int] | None] = [None]

        def holds() -> bool:
            found[0] = self._run(_MIDDLE.replace("SELECTOR", json.dumps(selector)))
            return found[0] is not None

        _wait_until(holds)
        assert found[0] is not None
        return found[0]

    def click(self, selector: str) -> tuple[int, int]:
        """Click an element once that's possible; returns where it is."""
        x, y = self.middle(selector)
        self.until(_REACHABLE.replace("X", str(x)).replace("Y", str(y)).replace("SELECTOR", json.dumps(selector)))
        self.drag((x, y))
        return x, y

    def drag(self, *path: tuple[int, int]) -> None:
        """Press at the first point, release at the last."""
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 50} for x, y in path]
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        actions = [moves[0], down, *moves[1:], up]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self._act(mouse)

    def press(self, key: str) -> None:
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._act({"type": "key", "id": "keys", "actions": actions})

    @property
    def complaints(self) -> list[str]:
        found: list[str] = self._run("() => window.complaints")
        return found


class Firefox(OtherBrowser):
    """Speaks BiDi itself, so it needs no driver."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._asked = 0
        self._call("session.new", capabilities={})
        self._page: str = self._call("browsingContext.getTree")["contexts"][0]["context"]
        width, height = SIZE
        self._call("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def _call(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(PATIENCE))).get("id") != self._asked:
            pass  # An event came in between.
        assert answer["type"] == "success", answer
        return answer["result"]

    def _open(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def _run(self, script: str) -> Any:
        function = f"async () => JSON.stringify(await ({script})() ?? null)"
        target = {"context": self._page}
        answer = self._call("script.callFunction", functionDeclaration=function, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def _act(self, *sources: dict[str, Any]) -> None:
        self._call("input.performActions", context=self._page, actions=sources)
        self._call("input.releaseActions", context=self._page)


class WebKit(OtherBrowser):
    """Debian's MiniBrowser behind its driver."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._session = ""
        answer = self._call("", {"capabilities": {"alwaysMatch": {}}})
        self._session = f"/{answer['sessionId']}"
        width, height = SIZE
        self._call("/window/rect", {"x": 0, "y": 0, "width": width, "height": height})
        self._call("/timeouts", {"script": int(1000 * PATIENCE)})

    def _call(self, path: str, body: dict[str, Any]) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            connection.request("POST", f"/session{self._session}{path}", json.dumps(body))
            answer = connection.getresponse()
            value = json.loads(answer.read())["value"]
        finally:
            connection.close()
        assert answer.status == 200, value
        return value

    def _open(self, url: str) -> None:
        self._call("/url", {"url": url})

    def _run(self, script: str) -> Any:
        done = "const done = arguments[arguments.length - 1];"
        body = f"{done} (async () => done(JSON.stringify(await ({script})() ?? null)))();"
        return json.loads(self._call("/execute/async", {"script": body, "args": []}))

    def _act(self, *sources: dict[str, Any]) -> None:
        self._call("/actions", {"actions": sources})


@contextmanager
def firefox() -> Iterator[OtherBrowser]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
        log = Path(folder) / "stderr"
        with log.open("w") as stderr, _running(command, stderr=stderr):
            _wait_until(lambda: "BiDi listening on ws://" in log.read_text())
            found = re.search(r"listening on (ws://\S+)", log.read_text())
            assert found is not None
            with connect(f"{found[1]}/session", max_size=None) as socket:
                yield Firefox(socket)


@contextmanager
def webkit() -> Iterator[OtherBrowser]:
    """Run WebKit on a virtual screen."""
    with ExitStack() as stack:
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        display = stack.enter_context(_running(screen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)).stdout
        assert display is not None
        environment = {**os.environ, "DISPLAY": f":{display.readline().strip()}", "LC_ALL": "C.UTF-8"}
        port = _free_port()
        stack.enter_context(_running(["WebKitWebDriver", f"--port={port}"], env=environment))
        _wait_until(lambda: _answers(port))
        browser = WebKit(port)
        yield browser


@contextmanager
def _running(command: list[str], **choices: Any) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, text=True, **choices)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)
        if process.stdout is not None:
            process.stdout.close()


def _free_port() -> int:
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def _answers(port: int) -> bool:
    with socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0
