# The queue in flash: actions in a file, a line each. Every line is the CRC-32 of the rest, and what it says in JSON:
#
#   [seq, time, adjusted, synced, refused, report]   an action; the same seq again takes its place
#   [life, seq, time, adjusted]                      the clock, and the last seq
#   seq                                              that action is done
#
# `time` is by the bottle's clock, `adjusted` by how much that clock had been set in all until then, `synced` whether it
# had been set since power-on, `refused` when the service refused it first, or 0. A power cut leaves a line whose checksum
# is wrong, or an action that is done and not marked: it is sent again and recognised by its event_id.

import json
import os
from binascii import crc32


class Queue:
    def __init__(self, path, most, random32, first_time):
        self.path = path
        self.most = most
        self.live = []
        self.lost = 0
        # `life` is drawn when there is no file: a factory reset names no event again
        self.clock = [random32(), 0, first_time, 0]
        try:
            with open(path, "rb") as file:
                for line in file:
                    self._read(line)
        except OSError:
            pass
        self.live.sort(key=lambda action: action[0])
        self._compact()

    def event_id(self, seq):
        return "%08x-%d" % (self.clock[0], seq)

    def append(self, time, adjusted, synced, report):
        """The oldest makes room if the queue is full. Returns the action's seq once it is in flash."""
        if len(self.live) >= self.most:
            self.done(self.live[0])
            self.lost += 1
        seq = self.clock[1] + 1
        self.clock[1:] = [seq, time, adjusted]
        self.live.append([seq, time, adjusted, synced, 0, report])
        self._write(self.live[-1])
        return seq

    def refuse(self, action, time):
        action[4] = time
        self._write(action)

    def done(self, action):
        self.live.remove(action)
        self._write(action[0])

    def set_clock(self, time, adjusted):
        self.clock[2:] = [time, adjusted]
        self._write(self.clock)

    def _read(self, line):
        try:
            if line[-1:] != b"\n" or int(line[:8], 16) != crc32(line[9:-1]):
                return
        except ValueError:
            return
        entry = json.loads(line[9:])
        if isinstance(entry, int):
            self.live = [action for action in self.live if action[0] != entry]
        elif len(entry) == 4:
            self.clock = entry
        else:
            self.live = [action for action in self.live if action[0] != entry[0]] + [entry]
            if entry[0] > self.clock[1]:
                self.clock[1:] = entry[:3]

    def _line(self, entry):
        text = json.dumps(entry).encode()
        return ("%08x " % crc32(text)).encode() + text + b"\n"

    def _write(self, entry):
        self.file.write(self._line(entry))
        self.file.flush()
        self.lines += 1
        if self.lines > 3 * self.most:
            self.file.close()
            self._compact()

    def _compact(self):
        """Writes what waits to a new file, which takes the old one's place when it is whole."""
        with open(self.path + ".new", "wb") as file:
            for entry in [self.clock] + self.live:
                file.write(self._line(entry))
        os.rename(self.path + ".new", self.path)
        self.file = open(self.path, "ab")
        self.lines = len(self.live) + 1
