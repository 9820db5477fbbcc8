"""Prints the golden table: the runs of patterns around clock changes. It checks every minute with zoneinfo."""

import json
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

CHANGES = [
    ("Europe/Amsterdam", "2027-03-28T01:00", "2026-10-25T01:00"),
    ("Europe/London", "2027-03-28T01:00", "2026-10-25T01:00"),
    ("America/New_York", "2027-03-14T07:00", "2026-11-01T06:00"),
    ("America/St_Johns", "2027-03-14T05:30", "2026-11-01T04:30"),
    ("America/Havana", "2027-03-14T05:00", "2026-11-01T05:00"),
    ("America/Santiago", "2026-09-06T04:00", "2027-04-04T03:00"),
    ("Africa/Cairo", "2027-04-29T22:00", "2026-10-29T21:00"),
    ("Asia/Beirut", "2027-03-27T22:00", "2026-10-24T21:00"),
    ("Asia/Jerusalem", "2027-03-26T00:00", "2026-10-24T23:00"),
    ("Australia/Sydney", "2026-10-03T16:00", "2027-04-03T16:00"),
    ("Australia/Lord_Howe", "2026-10-03T15:30", "2027-04-03T15:00"),
    ("Pacific/Auckland", "2026-09-26T14:00", "2027-04-03T14:00"),
]
PATTERNS = [
    "30 2 * * *",
    "0,30 2 * * *",
    "15,45 2 * * *",
    "*/20 0-3 * * *",
    "0 * * * *",
    "30 */2 * * *",
    "0 0 * * *",
    "5 2 * * 0",
]
MINUTE = timedelta(minutes=1)
BOUNDS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]


def values(field, low, high):
    found = set()
    for part in field.split(","):
        body, _, step = part.partition("/")
        first, _, last = (f"{low}-{high}" if body == "*" else body).partition("-")
        found.update(range(int(first), int(last or first) + 1, int(step or 1)))
    return found


def matcher(pattern):
    sets = [values(field, *bounds) for field, bounds in zip(pattern.split(" "), BOUNDS)]

    def matches(local):
        shown = [local.minute, local.hour, local.day, local.month, local.isoweekday() % 7]
        return all(value in wanted for value, wanted in zip(shown, sets))

    return matches


def fires(pattern, zone, start, end):
    matches = matcher(pattern)
    counts_elapsed = pattern.split(" ")[1] == "*"
    seen = set()
    found = []
    now = start
    before = None
    while now < end:
        local = now.astimezone(zone).replace(tzinfo=None)
        if counts_elapsed:
            due = matches(local)
        else:
            shown = [local]
            while before is not None and shown[0] - MINUTE > before:
                shown.insert(0, shown[0] - MINUTE)
            due = False
            for each in shown:
                due = due or (matches(each) and each not in seen)
                seen.add(each)
        if due:
            found.append(now.strftime("%Y-%m-%dT%H:%MZ"))
        before = local
        now += MINUTE
    return found


def table():
    rows = []
    for name, *changes in CHANGES:
        zone = ZoneInfo(name)
        for change in changes:
            at = datetime.fromisoformat(change).replace(tzinfo=timezone.utc)
            before, after = [(at + step).astimezone(zone).utcoffset() for step in (-MINUTE, timedelta())]
            assert before != after, f"{name} does not change its clocks at {change}"
            start, end = at - timedelta(hours=14), at + timedelta(hours=14)
            for pattern in PATTERNS:
                # Begins six hours earlier, because a local time that occurred before `start` must not run again.
                found = fires(pattern, zone, start - timedelta(hours=6), end)
                found = [instant for instant in found if instant >= start.strftime("%Y-%m-%dT%H:%MZ")]
                rows.append({"timezone": name, "change": f"{change}Z", "cron": pattern, "fires": " ".join(found)})
    return rows


print("[\n" + ",\n".join(json.dumps(row) for row in table()) + "\n]")
