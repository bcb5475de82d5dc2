import type { About } from './about.js';
import {
  type Allowed,
  type AllowedFields,
  exactly,
  oneOf,
  optional,
  timeBetween,
  timeOf,
} from './allowed.js';
import {
  batteryLow,
  bottleOpen,
  bottleSilent,
  countMismatch,
  isAnothersNow,
  lowSupply,
  sharedToken,
} from './bottle-claims.js';
import type { Evidence } from './content.js';
import {
  doseInGap,
  doseOf,
  doseReminder,
  extraDose,
  firstReminderAt,
  helpRequested,
  missedDose,
} from './dose-claims.js';
import { missedInARow } from './row-claims.js';
import { deafGaps, fleetIncident, gapOfService } from './fleet-claims.js';
import { DAY } from '../generate/oracle/facts.js';

/** What is about how a bottle is: another user of the bottle ends it (LIFE-5). */
const CONDITIONS = [
  'battery_low',
  'bottle_open',
  'bottle_silent',
  'count_mismatch',
  'doses_missed_in_a_row',
  'low_supply',
];

/** Whether an alert ends because the bottle has another user. */
export function endsForAnother(about: About): boolean {
  return about.event === 'resolved' && CONDITIONS.includes(about.kind) && isAnothersNow(about);
}

/** What the evidence of a message may say. */
export function evidenceOf(about: About, shown: Evidence): AllowedFields {
  return endsForAnother(about)
    ? { ...fieldsOf({ ...about, event: 'raised' }, shown), other_person: exactly(true) }
    : fieldsOf(about, shown);
}

function fieldsOf(about: About, shown: Evidence): AllowedFields {
  switch (about.kind) {
    case 'missed_dose':
      return missedDose(about);
    case 'doses_missed_in_a_row':
      return missedInARow(about, shown);
    case 'extra_dose':
      return extraDose(about, shown);
    case 'bottle_open':
      return bottleOpen(about, shown);
    case 'bottle_silent':
      return bottleSilent(about, shown);
    case 'low_supply':
      return lowSupply(about);
    case 'count_mismatch':
      return countMismatch(about, shown);
    case 'shared_token':
      return sharedToken(about, shown);
    case 'battery_low':
      return batteryLow(about);
    case 'fleet_incident':
      return fleetIncident(about);
    case 'coverage_gap':
      return about.story ? doseInGap(about, deafGaps(about.facts)) : gapOfService(about, shown);
    case 'dose_reminder':
      return doseReminder(about);
    case 'help_requested':
      return helpRequested(about);
    default:
      return {};
  }
}

/** What the alert may be about within its bottle. */
export function subjectOf({ kind, story, facts, at }: About, { removed_at: removed }: Evidence): Allowed {
  if (
    kind === 'missed_dose' ||
    kind === 'dose_reminder' ||
    kind === 'help_requested' ||
    (kind === 'coverage_gap' && story)
  )
    return timeOf(...facts.allDoses(story!, at).map((dose) => dose.at));
  if (kind === 'coverage_gap') return oneOf(['device-api', 'notifier']);
  if (kind === 'extra_dose')
    // alerts of one moment are distinguished by milliseconds
    return timeBetween(Date.parse(String(removed)), Date.parse(String(removed)) + 9);
  return exactly('');
}

/** From when on the condition held. */
export function deadlineOf(about: About, evidence: Evidence): Allowed {
  const { facts, kind, story, raisedAt } = about;
  const timeIn = (name: string, more = 0): Allowed => timeOf(Date.parse(String(evidence[name])) + more);
  switch (kind) {
    case 'missed_dose':
      return timeOf(doseOf(about)?.lateAt);
    case 'dose_reminder':
      return timeOf(firstReminderAt(about));
    case 'doses_missed_in_a_row': {
      const last = Date.parse(String(evidence['missed_until']));
      return timeOf(facts.doses(story!, raisedAt).find(({ at }) => at === last)?.missedAt);
    }
    case 'bottle_open':
      return timeOf(
        ...story!.actions
          .filter(({ action, known }) => action === 'opened' && known <= raisedAt)
          .map(({ time }) => time + facts.span('OPEN_BOTTLE_AFTER')),
      );
    case 'bottle_silent': {
      const last = story!.contacts.findLast((contact) => contact <= raisedAt) ?? 0;
      return timeBetween(last + facts.span('SILENT_BOTTLE_AFTER'), raisedAt);
    }
    case 'extra_dose':
      return timeIn('removed_at');
    case 'low_supply':
      return timeBetween(facts.scenario.start.getTime() - DAY, raisedAt);
    case 'count_mismatch':
      return timeIn('differs_since');
    case 'shared_token':
      return timeIn('counted_at');
    case 'battery_low':
      return timeIn('low_since', DAY);
    case 'coverage_gap':
      return story ? timeIn('until') : timeIn('from', facts.span('COVERAGE_GAP_AFTER'));
    default:
      return timeOf(raisedAt);
  }
}

/** How an alert ends with an event. */
export function endedAsOf(about: About, evidence: Evidence): Allowed {
  const { kind, event } = about;
  switch (event) {
    case 'resolved':
      return oneOf(RESOLVED[kind] ?? []);
    case 'summary':
      return exactly(evidence['outcome']);
    case 'corrected':
      return exactly('partial');
    case 'unconfirmed':
      return exactly('unknown');
    case 'monitored_again':
    case 'not_taken_yet':
      return optional(oneOf(isClosed(about) ? ['closed_by_staff'] : []));
    case 'statement_withdrawn':
      // the dose may still be taken, and staff may have closed the alert before anybody stated anything
      return optional(
        oneOf([
          'missed',
          'partial',
          'unknown',
          'taken_late',
          ...(isClosed(about) ? ['closed_by_staff'] : []),
        ]),
      );
    default:
      return exactly(event);
  }
}

function isClosed({ facts, story, kind, at }: About): boolean {
  return facts.scenario.events.some(
    (event) =>
      event.type === 'staff' &&
      event.at.getTime() <= at &&
      event.action.action === 'close' &&
      event.action.bottle === story?.spec.key &&
      event.action.kind === kind,
  );
}

const RESOLVED: Record<string, string[]> = {
  missed_dose: ['taken_late'],
  doses_missed_in_a_row: ['row_ended', 'other_person'],
  bottle_open: ['lid_closed', 'opened_again', 'closing_lost', 'not_monitored', 'other_person'],
  bottle_silent: ['back_online', 'not_monitored', 'other_person'],
  extra_dose: ['returned'],
  low_supply: ['refilled', 'enough_pills', 'other_person'],
  count_mismatch: ['count_agrees', 'other_medication', 'other_person'],
  shared_token: ['token_replaced', 'counts_no_longer_alternate'],
  battery_low: ['charged', 'other_person'],
  fleet_incident: ['incident_over'],
  coverage_gap: ['coverage_restored'],
  help_requested: ['withdrawn'],
};
