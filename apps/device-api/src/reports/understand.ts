import {
  acceptBody,
  type FieldError,
  fieldErrorsOf,
  fieldsOf,
  invalidRequest,
  Problem,
  unknownField,
} from '#platform';
import type { Type } from '@nestjs/common';
import { type BatchClock, batchClock, correctedTime, inUtc } from './device-times.js';
import { ActionDto, HeartbeatDto } from './report.dto.js';

/** A part of a report that could not be meant, or that we do not know: it was left out, and the report was stored. */
export interface IgnoredField {
  /** Its name as the device sent it. */
  field: string;
  /** The code with which a person's request would be refused for it. */
  reason: string;
  /** What its value was: {@link kindOf}. */
  kind: string;
}

/** A report as far as it could be understood. */
export interface Understood<T> {
  body: T;
  ignored: readonly IgnoredField[];
  /** Its time had no zone, and neither had the clock at sending: both were read as if they were UTC. */
  isWithoutZone: boolean;
}

/** What the answer says of what was left out; absent if nothing was. */
export function ignoredIn(ignored: readonly IgnoredField[]): {
  ignored?: Pick<IgnoredField, 'field' | 'reason'>[];
} {
  if (ignored.length === 0) return {};
  return { ignored: ignored.map(({ field, reason }) => ({ field, reason })) };
}

/** The JSON type of a field's value; `missing` without one. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Fields by which a report would be another bottle's, or another kind of report: without them it would say what is not so. */
const MISPLACED = ['bottle_id', 'action'];
/** More unknown fields than a newer firmware has: this is no report of ours. */
const MOST_UNKNOWN = 32;
/** An empty bottle's scale drifts by this much below zero. Grams. */
const SCALE_DRIFT_G = 5;

const NONE: readonly IgnoredField[] = [];

/** @throws Problem 400 if the body has more than 32 fields that are not known */
export function understandHeartbeat(body: object): Understood<HeartbeatDto> {
  return understand(HeartbeatDto, body, [], (body as { sent_at?: unknown }).sent_at);
}

/**
 * @param sentAt the device's clock at sending, as it was sent: the batch's, for an item
 * @throws Problem 400 if its action or its time is not understood, too
 */
export function understandAction(
  body: object,
  sentAt: unknown = (body as { sent_at?: unknown }).sent_at,
): Understood<ActionDto> {
  return understand(ActionDto, body, ['action', 'time'], sentAt);
}

/** A batch as far as it could be understood; its items are read one by one. */
export interface UnderstoodBatch<T> {
  body: T;
  clock: BatchClock;
  ignored: readonly IgnoredField[];
}

/** @throws Problem 400 if its items are no list of a batch, or it has more than 32 fields that are not known */
export function understandBatch<T extends { sent_at?: string; items: unknown[] }>(
  type: Type<T>,
  sent: { sent_at?: unknown },
): UnderstoodBatch<T> {
  const { body, ignored } = understand(type, sent, ['items']);
  const clock = batchClock(sent.sent_at, body.sent_at);
  const isMeant = clock.unzoned !== undefined && !body.items.some(isTimedByZone);
  return {
    body,
    clock,
    ignored: isMeant ? ignored.filter(({ field }) => field !== 'sent_at') : ignored,
  };
}

/** Whether an item has a time that a clock without a zone does not correct. */
function isTimedByZone(item: unknown): boolean {
  const { time } = (item ?? {}) as { time?: unknown };
  return time !== undefined && inUtc(time) === undefined;
}

/**
 * Reads a report. A bottle cannot read errors, so that a field that cannot be meant costs the field and not the report: a
 * sensor's sentinel (255 %, 127 dBm), null, a field of a newer firmware. What is right is recognised fast.
 *
 * @param needed without these fields the report has no meaning
 * @param sentAt if it has no zone, a time without one is understood, and so is it without any time: what is between the
 *   two is certain
 * @throws Problem 400 if one of them is missing or wrong, the body has more than 32 fields that are not known, or one that
 *   says that the report is of another bottle or of another kind
 */
export function understand<T extends object>(
  type: Type<T>,
  body: object,
  needed: readonly string[] = [],
  sentAt?: unknown,
): Understood<T> {
  const accepted = acceptBody(type, body);
  if (accepted) return { body: accepted, ignored: NONE, isWithoutZone: false };
  const known = fieldsOf(type);
  const sent = body as Record<string, unknown>;
  const fields = Object.entries(sent);
  const unknown = fields.filter(([field]) => !known.has(field));
  const misplaced = unknown.find(([field]) => MISPLACED.includes(field));
  if (misplaced) throw invalidRequest([unknownField(misplaced[0])]);
  if (unknown.length > MOST_UNKNOWN) throw tooManyUnknown(unknown[0]![0]);
  const isWithoutZone =
    inUtc(sentAt) !== undefined && (!('time' in sent) || inUtc(sent['time']) !== undefined);
  const kept: Record<string, unknown> = Object.fromEntries(
    fields
      .filter(([field]) => known.has(field))
      .map(([field, value]) => [field, corrected(field, (isWithoutZone && inUtc(value)) || value)]),
  );
  const errors = fieldErrorsOf(type, kept);
  const fatal = errors.filter(({ field }) => needed.includes(field));
  if (fatal.length > 0) throw invalidRequest(fatal.map((error) => explained(error, sent)));
  for (const { field } of errors) delete kept[field];
  return {
    body: Object.assign(new type(), kept),
    ignored: [
      ...errors
        .filter(wasSent(body))
        .map(({ field, code }) => ({ field, reason: code, kind: kindOf(sent[field]) })),
      ...unknown.map(([field, value]) => ({
        field: unknownField(field).field,
        reason: 'unknown_field',
        kind: kindOf(value),
      })),
    ],
    isWithoutZone,
  };
}

function tooManyUnknown(first: string): Problem {
  const { field, code } = unknownField(first);
  const message = `More than ${MOST_UNKNOWN} fields of the report are not known; the first is ${field}.`;
  return Problem.field(field, code, message);
}

/** A time that is right but for its zone looks right: says what it lacks. */
function explained(error: FieldError, sent: Record<string, unknown>): FieldError {
  if (error.field !== 'time' || inUtc(sent['time']) === undefined) return error;
  const message = 'time has no zone: add Z or an offset, or send a sent_at without a zone beside it';
  return { ...error, message };
}

/** A field that was not sent was not ignored. */
const wasSent =
  (body: object) =>
  ({ field }: FieldError): boolean =>
    field in body;

/** What is meant by a value that is not right as it is. */
function corrected(field: string, value: unknown): unknown {
  if (field === 'mass_of_contents' && typeof value === 'number' && value < 0 && value >= -SCALE_DRIFT_G)
    return 0;
  if (field === 'time' || field === 'sent_at') return correctedTime(value);
  return value;
}
