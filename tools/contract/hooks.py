"""What schemathesis has to know of Pillwatch: ids that exist, and the refusals that JSON Schema cannot express."""

import itertools
import json
import os
import re
from pathlib import Path

import schemathesis
from schemathesis import GenerationMode

# by collection, such as {"bottles": ["6b01..."]}: what the test has stored
KNOWN_IDS = json.loads(os.environ.get("CONTRACT_IDS", "{}"))
# that somebody may not do it, that it is not there, not now or not in this state, does not depend on the description
ANSWERS_TO_DESCRIBED = {401, 403, 404, 409, 412, 429}
EXCEPTIONS = json.loads((Path(__file__).parent / "exceptions.json").read_text())


# what JSON Schema cannot describe well enough to be made up
VALID = {"time_zone": "Europe/Berlin", "password": "seven quiet lanterns 42"}
counter = itertools.count()


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


def with_valid_fields(body):
    if isinstance(body, list):
        return [with_valid_fields(item) for item in body]
    if not isinstance(body, dict):
        return body
    return {name: VALID.get(name) or with_valid_fields(value) for name, value in body.items()}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes more of the described requests succeed: ids that exist, valid fields, a new key for each request."""
    number = next(counter)
    if not is_positive(case):
        return
    known = KNOWN_IDS.get(case.operation.path.split("/")[2], [])
    # few of them are deleted
    share = 10 if case.operation.method.upper() == "DELETE" else 2
    if known and case.path_parameters and number % share == 0:
        for name in ("id", "user_id"):
            if name in case.path_parameters:
                case.path_parameters[name] = known[number // share % len(known)]
    if "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = f"key-{number}"
    case.body = with_valid_fields(case.body)
    case.query = with_valid_fields(case.query)


def is_exception(operation, code, field):
    return any(
        re.fullmatch(each["operation"], operation)
        and re.fullmatch(each["code"], code)
        and re.fullmatch(each["field"], field)
        for each in EXCEPTIONS
    )


@schemathesis.check
def described_data_acceptance(ctx, response, case):
    """A request as the document describes it is not refused as one that is wrong, but for exceptions.json."""
    if not is_positive(case):
        return
    # faults of the service are for another check
    if response.status_code < 400 or response.status_code >= 500 or response.status_code in ANSWERS_TO_DESCRIBED:
        return
    problem = response.json()
    operation = f"{case.operation.method.upper()} {case.operation.path}"
    fields = [error["field"] for error in problem.get("errors", [])] or [""]
    if not all(is_exception(operation, problem["code"], field) for field in fields):
        raise AssertionError(f"{operation} is described, but refused: {problem['code']} {fields}")
