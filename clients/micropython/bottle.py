# A simulated bottle: the client on the unix port, or under CPython, with sockets. Its time is what it is ordered.
# Arguments: QUEUE-FILE MOST HOST PORT TOKEN TIMEOUT-S. Orders are those of the C client's bottle.c.

import os
import socket
import sys

import flash_queue
import pillwatch


class Board:
    uptime = 0

    def uptime_ms(self):
        return self.uptime

    def random32(self):
        with open("/dev/urandom", "rb") as entropy:
            return int.from_bytes(entropy.read(4), "little")

    def refused(self, event, status, code):
        say("refused %d %d %s" % (event, status, code))

    def request(self, path, body):
        """A product has TLS here. HTTP/1.0: the response ends with the connection and is never chunked."""
        say("request %d" % self.uptime)
        if not sys.stdin.readline():
            sys.exit()
        response = b""
        connection = socket.socket()
        try:
            # of each step; the whole of it should be limited on a device, by its watchdog if need be
            connection.settimeout(timeout)
            connection.connect(socket.getaddrinfo(host, port)[0][-1])
            head = "POST %s HTTP/1.0\r\nHost: %s\r\nAuthorization: Bearer %s\r\n" % (path, host, token)
            head += "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
            data = (head + body).encode()
            while data:
                data = data[connection.send(data) :]
            while True:
                more = connection.recv(512)
                if not more:
                    break
                response += more
        except OSError:
            pass
        connection.close()
        return response


class CutFile:
    """A file in whose writing the power can fail after any byte."""

    cut = -1

    def __init__(self, file):
        self.file = file

    def write(self, data):
        if 0 <= CutFile.cut < len(data):
            self.file.write(data[: CutFile.cut])
            self.file.flush()
            os.system("kill -KILL $PPID")
            while True:
                pass
        CutFile.cut -= len(data) if CutFile.cut >= 0 else 0
        return self.file.write(data)

    def flush(self):
        self.file.flush()

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def open_file(path, mode):
    return open(path, mode) if mode == "rb" else CutFile(open(path, mode))


def say(text):
    sys.stdout.write(text + "\n")
    if hasattr(sys.stdout, "flush"):
        sys.stdout.flush()


def tick(client, board, ms):
    end = board.uptime + ms
    while True:
        wait = client.poll()
        if wait > end - board.uptime:
            break
        board.uptime += wait
    board.uptime = end


path, most, host, port, token, timeout = sys.argv[1:]
most, port, timeout = int(most), int(port), float(timeout)
flash_queue.open = open_file
board = Board()
client = pillwatch.Client(board, path, most)
client.vitals = {"battery_percent": 87}
say("ready %d" % len(client.queue.live))
while True:
    order = sys.stdin.readline().split()
    if not order:
        break
    name, values = order[0], order[1:]
    if name == "tick":
        tick(client, board, int(values[0]))
        say("ok %d %d %d" % (len(client.queue.live), client.queue.lost, client.fault))
    elif name == "token":
        token = values[0]
        client.retry()
        say("ok")
    elif name == "cut":
        CutFile.cut = int(values[0])
        say("ok")
    else:
        report = {"action": "opened" if name == "open" else "closed"}
        report["mass_of_contents"] = int(values[0]) / 1000
        report["number_of_pills"] = int(values[1])
        if name == "close":
            report["pills_taken"] = int(values[2])
        say("recorded %d" % client.action(report))
