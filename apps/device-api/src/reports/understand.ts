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
import { ActionDto, HeartbeatDto } from './report.dto.js';

/** A part of a report that could not be meant, or that we do not know: it was left out, and the report was stored. */
export interface IgnoredField {
  /** Its name as the device sent it. */
  field: string;
  /** The code with which a person's request would be refused for it. */
  reason: string;
}

/** A report as far as it could be understood. */
export interface Understood<T> {
  body: T;
  ignored: readonly IgnoredField[];
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
  return understand(HeartbeatDto, body);
}

/** @throws Problem 400 if its action or its time is not understood, too */
export function understandAction(body: object): Understood<ActionDto> {
  return understand(ActionDto, body, ['action', 'time']);
}

/**
 * Reads a report. A bottle cannot read errors, so that a field that cannot be meant costs the field and not the report: a
 * sensor's sentinel (255 %, 127 dBm), null, a field of a newer firmware. What is right is recognised fast.
 *
 * @param needed without these fields the report has no meaning
 * @throws Problem 400 if one of them is missing or wrong, the body has more than 32 fields that are not known, or one that
 *   says that the report is of another bottle or of another kind
 */
export function understand<T extends object>(
  type: Type<T>,
  body: object,
  needed: readonly string[] = [],
): Understood<T> {
  const accepted = acceptBody(type, body);
  if (accepted) return { body: accepted, ignored: NONE };
  const known = fieldsOf(type);
  const fields = Object.entries(body);
  const unknown = fields.filter(([field]) => !known.has(field));
  const misplaced = unknown.find(([field]) => MISPLACED.includes(field));
  if (misplaced) throw invalidRequest([unknownField(misplaced[0])]);
  if (unknown.length > MOST_UNKNOWN)
    throw new Problem(400, 'unknown_field', `More than ${MOST_UNKNOWN} fields of the report are not known.`);
  const kept: Record<string, unknown> = Object.fromEntries(
    fields.filter(([field]) => known.has(field)).map(([field, value]) => [field, corrected(field, value)]),
  );
  const errors = fieldErrorsOf(type, kept);
  const fatal = errors.filter(({ field }) => needed.includes(field));
  if (fatal.length > 0) throw invalidRequest(fatal);
  for (const { field } of errors) delete kept[field];
  return {
    body: Object.assign(new type(), kept),
    ignored: [
      ...errors.filter(wasSent(body)).map(({ field, code }) => ({ field, reason: code })),
      ...unknown.map(([field]) => ({ field, reason: 'unknown_field' })),
    ],
  };
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

const DAY_S = 24 * 60 * 60;
/** Numbers below it are seconds since 1970, the others milliseconds: as seconds it is the year 5138. */
const FEWEST_MS = 100_000_000_000;

/** Seconds and milliseconds since 1970, the second 60 and the hour 24, as ISO 8601 texts that we read. */
function correctedTime(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
    const at = new Date(value < FEWEST_MS ? value * 1_000 : value);
    return Number.isNaN(at.getTime()) ? value : at.toISOString();
  }
  if (typeof value !== 'string') return value;
  const [, date, hour, minute, second, zone] =
    /^(\d{4}-\d{2}-\d{2}T)(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/.exec(value) ?? [];
  const isMidnight = hour === '24' && minute === '00' && second === '00';
  if (date === undefined || !(isMidnight || second === '60')) return value;
  const start = Date.parse(`${date}00:00:00${zone}`);
  const seconds = isMidnight ? DAY_S : Number(hour) * 3_600 + Number(minute) * 60 + 60;
  return Number.isNaN(start) ? value : new Date(start + seconds * 1_000).toISOString();
}
