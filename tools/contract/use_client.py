"""Uses the client that openapi-python-client has generated. Arguments: the address of support-api, a token."""

import sys

from pillwatch import AuthenticatedClient
from pillwatch.api.bottles import bottles_controller_get, bottles_controller_register, bottles_controller_set_schedule
from pillwatch.models import (
    BottleDto,
    Problem,
    RegisterBottleDto,
    RegisteredBottleDto,
    SavedScheduleDto,
    SetScheduleDto,
    TimesOfDayDto,
)
from pillwatch.models.times_of_day_dto_kind import TimesOfDayDtoKind

url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
asked = RegisterBottleDto(user_id="py", medication="Cordrazine", time_zone="Europe/Berlin")
made = bottles_controller_register.sync(client=client, body=asked)
assert isinstance(made, RegisteredBottleDto), made
schedule = TimesOfDayDto(kind=TimesOfDayDtoKind.TIMES_OF_DAY, times=["08:00"])
stored = bottles_controller_set_schedule.sync(made.bottle_id, client=client, body=SetScheduleDto(schedule=schedule))
assert isinstance(stored, SavedScheduleDto), stored
assert stored.plan and not stored.warnings, stored
bottle = bottles_controller_get.sync(made.bottle_id, client=client)
assert isinstance(bottle, BottleDto), bottle
assert bottle.last_heard_at is None, bottle.last_heard_at
missing = bottles_controller_get.sync("0" * 24, client=client)
assert isinstance(missing, Problem) and missing.code == "bottle_not_found", missing
print("the generated client works")
