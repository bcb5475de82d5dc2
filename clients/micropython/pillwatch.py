# Pillwatch's reference client for pill bottles in MicroPython; it runs under CPython, too. It does what the C client
# does, as docs/device-integration.md asks. The queue is a file: use a file system that survives a power cut (littlefs).
#
# The firmware brings a board: uptime_ms(), random32(), refused(event, status, code), and request(path, body), which
# returns the bytes of the response, as far as they came, or b"" (bottle.py has one). Call poll() whenever the time that
# it returned has passed, and at once after action().

import json

from flash_queue import Queue

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
FIRST_TIME = 1767225600000  # 2026-01-01: a clock that was never set begins here, and the service's is later
CLOCK_ERROR = 30 * SECOND  # a clock that is off by more is set; the service tolerates 2 minutes
BATCH = 20  # most actions in one request
MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


class Client:
    """`vitals` go into each heartbeat. `fault` is the status with which the service refuses this bottle, or 0."""

    def __init__(self, board, path, most=200):
        self.board = board
        self.vitals = {}
        self.fault = 0
        self.queue = Queue(path, most, board.random32, FIRST_TIME)
        clock = self.queue.clock
        # until the service says what time it is, the clock goes on from the last record
        self.offset = clock[2] - board.uptime_ms()
        self.adjusted = clock[3]
        self.synced = self.asked = 0
        self.wait = 0
        self.limit = BATCH
        self.after = 0  # refused ones up to this seq have had their turn
        self.next_try = self.next_heartbeat = self.next_refused = board.uptime_ms()

    def now(self):
        return self.board.uptime_ms() + self.offset

    def retry(self):
        """Forgets a wait: the token or the network has changed."""
        self.next_try = self.board.uptime_ms()
        self.wait = 0

    def action(self, report):
        """`report` has `action` and what the bottle knows: `mass_of_contents`, `number_of_pills`, `pills_taken`."""
        return self.queue.append(self.now(), self.adjusted, self.synced, report)

    def poll(self):
        """Sends what is due, one request at most. Returns after how many ms to call again."""
        at = self.board.uptime_ms()
        if at < self.next_try:
            return self.next_try - at
        # after power-on first a heartbeat: its response says what time it is
        if not self.asked or at >= self.next_heartbeat:
            self._send_heartbeat()
            return max(0, self.next_try - self.board.uptime_ms())
        actions = self._collect(False)
        if not actions and at >= self.next_refused:
            actions = self._collect(True)
            if not actions:
                self.after = 0
                self.next_refused = at + HOUR
        if actions:
            self._send_actions(actions)
            return max(0, self.next_try - self.board.uptime_ms())
        return min(self.next_refused if self.queue.live else self.next_heartbeat, self.next_heartbeat) - at

    def _collect(self, refused):
        """The oldest actions of one clock: new ones, or refused ones whose turn it is."""
        found = []
        for action in self.queue.live:
            if bool(action[4]) != refused or (refused and action[0] <= self.after):
                continue
            if found and self._clock_of(action) != self._clock_of(found[0]):
                break
            found.append(action)
            if len(found) == self.limit:
                break
        return found

    def _clock_of(self, action):
        """The clock that the action was recorded with, counted on until now: what `sent_at` has to be."""
        return self.now() - (0 if action[3] else self.adjusted - action[2])

    def _send_heartbeat(self):
        body = dict(self.vitals)
        if self.synced:
            body["sent_at"] = iso(self.now())
        status = self._send("/v1/heartbeats", body, [])
        # a little less than 30 minutes, so that a fleet that starts at once does not stay in step
        if is_stored(status) or is_about_report(status):
            self.next_heartbeat = self.board.uptime_ms() + 30 * MINUTE - self.board.random32() % (3 * MINUTE)
        elif status:
            # a service that cannot store heartbeats may still store actions
            self.next_heartbeat = self.next_try + MINUTE

    def _send_actions(self, actions):
        items = []
        for seq, time, _, _, _, report in actions:
            item = dict(report)
            item.update({"time": iso(time), "event_id": self.queue.event_id(seq)})
            if len(actions) > 1:
                item["type"] = "action"
            items.append(item)
        sent_at = iso(self._clock_of(actions[0]))
        if len(items) == 1:
            items[0]["sent_at"] = sent_at
            status = self._send("/v1/actions", items[0], actions)
        else:
            status = self._send("/v1/batch", {"sent_at": sent_at, "items": items}, actions)
        if actions[0][4] and not is_temporary(status) and (len(actions) == 1 or not is_about_report(status)):
            self.after = actions[-1][0]

    def _send(self, path, body, actions):
        """Posts it, and does what the response means for the actions that were sent. Returns the status, 0 without one."""
        status, date, retry_after, body = parse(self.board.request(path, json.dumps(body)))
        if date:
            self._set_clock(date)
        if status:
            self.asked = 1
        if is_temporary(status):
            self._retry_later(retry_after)
        elif is_stored(status):
            self.fault = 0
            self.limit = min(2 * self.limit, BATCH)
            results = body.get("results", [])
            # without it the response is somebody else's, such as a Wi-Fi login page
            if len(actions) == 1 and "id" in body:
                results = [{"status": status}]
            again = len(results) < len(actions)
            for action, result in zip(actions, results):
                if is_stored(result["status"]):
                    self.queue.done(action)
                elif is_temporary(result["status"]):
                    again = True
                else:
                    self._refuse(action, result["status"], result.get("code"))
            if again:
                self._retry_later(retry_after)
            else:
                self.wait = 0
        elif not is_about_report(status):
            self.board.refused(0, status, body.get("code"))
            self.fault = status
            self.next_try = self.board.uptime_ms() + HOUR + self.board.random32() % (HOUR // 2)
        elif len(actions) == 1:
            self._refuse(actions[0], status, body.get("code"))
        elif actions:
            self.limit = len(actions) // 2  # smaller: until the one that it is about is alone
        else:
            self.board.refused(0, status, body.get("code"))
        return status

    def _refuse(self, action, status, code):
        """Not understood: kept for a day and sent again each hour. A fix of the service may read it."""
        self.board.refused(action[0], status, code)
        refused = action[4]
        if not refused:
            self.queue.refuse(action, self.now())
            self.next_refused = self.board.uptime_ms() + HOUR
        elif self.now() - refused >= DAY:
            self.queue.done(action)

    def _set_clock(self, date):
        """By the response's Date, a whole second. Actions keep their times: they know what clock they are of."""
        difference = date + SECOND // 2 - self.now()
        if date < FIRST_TIME or (self.synced and abs(difference) <= CLOCK_ERROR):
            return
        self.offset += difference
        self.adjusted += difference
        self.synced = 1
        if abs(difference) > CLOCK_ERROR:
            self.queue.set_clock(self.now(), self.adjusted)

    def _retry_later(self, retry_after):
        self.wait = min(2 * self.wait or 5 * SECOND, 15 * MINUTE)
        wait = retry_after * SECOND or self.wait
        self.next_try = self.board.uptime_ms() + wait + self.board.random32() % (wait // 2 + 1)


def is_stored(status):
    return 200 <= status < 300


def is_temporary(status):
    """Also a redirection: it is a Wi-Fi login page."""
    return status < 200 or 300 <= status < 400 or status in (408, 429) or status >= 500


def is_about_report(status):
    """Any other refusal is about the bottle, its token or its firmware."""
    return status in (400, 409, 413, 422)


def parse(response):
    """Returns status, Date in ms since 1970, Retry-After in seconds, and the JSON body; (0, 0, 0, {}) if it was cut."""
    try:
        head, end, body = response.decode().partition("\r\n\r\n")
        lines = head.split("\r\n")
        status = int(lines[0].split(" ")[1]) if end else 0
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = json.loads(body) if body else {}
        if not isinstance(body, dict):
            return 0, 0, 0, {}
    except (ValueError, IndexError):
        return 0, 0, 0, {}
    retry_after = headers.get("retry-after", "")
    return status, parse_date(headers.get("date", "")), int(retry_after) if retry_after.isdigit() else 0, body


def parse_date(text):
    """`Sun, 01 Mar 2026 08:00:00 GMT` as ms since 1970, or 0."""
    try:
        _, day, month, year, clock, _ = text.split(" ")
        hour, minute, second = [int(part) for part in clock.split(":")]
        month = MONTHS.index(month) // 3 + 1
        # days of the civil calendar, in years that begin in March
        y = int(year) - (month <= 2)
        days = 365 * y + y // 4 - y // 100 + y // 400 + (153 * ((month + 9) % 12) + 2) // 5 + int(day) - 719469
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * SECOND
    except ValueError:
        return 0


def iso(ms):
    """ISO 8601 with milliseconds."""
    days, rest = divmod(ms, DAY)
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    day = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * day + 2) // 153
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (
        year + era * 400 + (month >= 10),
        month + 3 if month < 10 else month - 9,
        day - (153 * month + 2) // 5 + 1,
        rest // HOUR,
        rest // MINUTE % 60,
        rest // SECOND % 60,
        rest % SECOND,
    )
