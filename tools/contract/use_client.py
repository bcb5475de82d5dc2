"""Uses the client that openapi-python-client has generated. Arguments: the address of support-api, a token."""

import sys

from pillwatch import AuthenticatedClient
from pillwatch.api.bottles import get_bottle, register_bottle, set_schedule
from pillwatch.models import (
    Bottle,
    Problem,
    RegisterBottle,
    RegisteredBottle,
    SavedSchedule,
    SetSchedule,
    TimesOfDay,
)
from pillwatch.models.times_of_day_kind import TimesOfDayKind

url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
asked = RegisterBottle(user_id="py", medication="Cordrazine", time_zone="Europe/Berlin")
made = register_bottle.sync(client=client, body=asked)
assert isinstance(made, RegisteredBottle), made
schedule = TimesOfDay(kind=TimesOfDayKind.TIMES_OF_DAY, times=["08:00"])
stored = set_schedule.sync(made.bottle_id, client=client, body=SetSchedule(schedule=schedule))
assert isinstance(stored, SavedSchedule), stored
assert stored.plan and not stored.warnings, stored
bottle = get_bottle.sync(made.bottle_id, client=client)
assert isinstance(bottle, Bottle), bottle
assert bottle.last_heard_at is None, bottle.last_heard_at
missing = get_bottle.sync("0" * 24, client=client)
assert isinstance(missing, Problem) and missing.code == "bottle_not_found", missing
print("the generated client works")
