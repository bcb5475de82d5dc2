"""What alerts were worth, from an export: alerts as GET /v1/alerts/:id returns them, and bottles as GET /v1/bottles/:id.

It shares no code with the product. Reads JSON from standard input (from, to, by, alerts, bottles) and writes the rows.
"""

import json
import sys
from collections import defaultdict
from datetime import datetime, timezone

FALSE_REASONS = {"device_fault", "duplicate", "not_relevant"}
DAY = 86_400.0


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def share(part, whole):
    return {"numerator": part, "denominator": whole, "ratio": part / whole if whole else None}


def months(begin, end):
    """The calendar months of a range, each with its part of it."""
    while begin < end:
        year, month = divmod(begin.year * 12 + begin.month, 12)
        after = min(end, datetime(year, month + 1, 1, tzinfo=timezone.utc))
        yield begin.strftime("%Y-%m"), begin, after
        begin = after


def bottle_days(bottles, begin, end):
    lives = ((max(begin, instant(bottle["registered_at"])), min(end, retired_at(bottle) or end)) for bottle in bottles)
    return sum(max(0.0, (until - start).total_seconds()) for start, until in lives) / DAY


def retired_at(bottle):
    life = bottle["life"]
    return instant(life["since"]) if life and life["state"] == "retired" else None


def days_of_groups(export, begin, end):
    bottles, by = export["bottles"], export["by"]
    if by == "fleet":
        return {None: bottle_days(bottles, begin, end)}
    if by == "month":
        return {name: bottle_days(bottles, first, last) for name, first, last in months(begin, end)}
    medications = {bottle["medication"] for bottle in bottles}
    return {
        name: bottle_days([one for one in bottles if one["medication"] == name], begin, end) for name in medications
    }


def group_of(alert, by):
    return {"fleet": None, "medication": alert["medication"], "month": alert["raised_at"][:7]}[by]


def in_time(alert, sent):
    acknowledged = [instant(step["at"]) for step in alert["history"] if step["event"] == "acknowledged"]
    reminders = [instant(one["created_at"]) for one in sent if one["event"] == "escalated"]
    return bool(acknowledged) and all(acknowledged[0] <= reminder for reminder in reminders)


def rows(export):
    begin, end = instant(export["from"]), instant(export["to"])
    days = days_of_groups(export, begin, end)
    alarms = defaultdict(list)
    for alert in export["alerts"]:
        to_all = [one for one in alert["deliveries"] if not one["recipient"].startswith("staff:")]
        sent = [one for one in to_all if one["status"] == "delivered"]
        if begin <= instant(alert["raised_at"]) < end and sent:
            alarms[(group_of(alert, export["by"]), alert["kind"])].append((alert, sent))
    for (group, kind), of in sorted(alarms.items(), key=lambda item: (item[0][0] or "", item[0][1])):
        messages = sum(len(sent) for _, sent in of)
        events = [{one["event"] for one in sent} for _, sent in of]
        whole = len(of)
        yield {
            "group": group,
            "kind": kind,
            "bottle_days": days.get(group, 0),
            "alerts": whole,
            "messages": messages,
            "messages_per_1000_bottle_days": messages * 1000 / days[group] if days.get(group) else None,
            "retracted": share(sum(alert["state"] == "retracted" for alert, _ in of), whole),
            "corrected": share(sum("corrected" in each for each in events), whole),
            "attested_otherwise": share(
                sum(bool(each & {"reported_taken", "reported_skipped"}) for each in events), whole
            ),
            "closed_as_false": share(
                sum((alert["closing"] or {}).get("reason") in FALSE_REASONS for alert, _ in of), whole
            ),
            "acknowledged_in_time": share(sum(in_time(alert, sent) for alert, sent in of), whole),
        }


if __name__ == "__main__":
    json.dump(list(rows(json.load(sys.stdin))), sys.stdout)
