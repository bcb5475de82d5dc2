import type { Evidence } from './content.js';

/** Whose word of a dose it may be: staff's, what staff pass on, or an answer by a link. */
const REPORTERS = [
  'staff',
  'the patient (recorded by staff)',
  'the carer (recorded by staff)',
  'the patient',
  'the carer',
];

/** The titles of mails, written down apart from the product. By kind and event; `*` is any kind. */
const TITLES: Record<string, string> = {
  'missed_dose raised': 'Dose not taken yet',
  'missed_dose escalated': 'Reminder: dose still not taken',
  'missed_dose unknown': 'Dose cannot be confirmed',
  'missed_dose resolved': 'All clear: late dose taken',
  'missed_dose retracted': 'Correction: the dose was taken',
  'missed_dose monitored_again': 'Correction: dose not taken yet',
  'missed_dose not_taken_yet': 'Correction: dose not taken yet',
  'missed_dose statement_withdrawn': 'Correction: the statement no longer counts',
  'dose_reminder raised': 'Dose reminder',
  'help_requested raised': 'Help is needed',
  'help_requested escalated': 'Reminder: help is needed',
  'help_requested resolved': 'Help is no longer needed',
  'doses_missed_in_a_row raised': 'Several doses missed in a row',
  'doses_missed_in_a_row escalated': 'Reminder: several doses missed in a row',
  'doses_missed_in_a_row resolved': 'All clear: doses are no longer missed in a row',
  'doses_missed_in_a_row retracted': 'Correction: the doses were not missed in a row',
  'bottle_open raised': 'Bottle left open',
  'bottle_open escalated': 'Reminder: bottle still open',
  'bottle_open retracted': 'Correction: the bottle had been closed',
  'bottle_silent raised': 'Bottle offline',
  'bottle_silent escalated': 'Reminder: bottle still offline',
  'bottle_silent resolved': 'All clear: bottle online again',
  'never_reported raised': 'Bottle has never reported',
  'never_reported escalated': 'Reminder: bottle has still never reported',
  'never_reported resolved': 'All clear: bottle online',
  'extra_dose raised': 'More pills taken than planned',
  'extra_dose escalated': 'More pills taken than planned',
  'extra_dose resolved': 'All clear: the pills were put back',
  'extra_dose retracted': 'Correction: no more pills than planned were taken',
  'low_supply raised': 'Pills running low',
  'low_supply escalated': 'Pills running low',
  'count_mismatch raised': 'Weight and pill count differ',
  'count_mismatch escalated': 'Reminder: weight and pill count still differ',
  'shared_token raised': 'Two bottles report with one token',
  'battery_low raised': 'Bottle battery low',
  'battery_low escalated': 'Reminder: battery still low',
  'battery_low resolved': 'All clear: battery charged',
  'fleet_incident raised': 'Many bottles offline at once',
  'coverage_gap raised': 'We could not see: no reports accepted, or no checks run',
  'coverage_gap resolved': 'Coverage gap over: reports are accepted and checks run',
  'coverage_gap retracted': 'Correction: the dose was taken',
  '* missed': 'Dose missed',
  '* partial': 'Only part of the dose was taken',
  '* corrected': 'Correction: part of the dose was taken',
  '* summary': 'Doses missed earlier',
  '* unconfirmed': 'Doses cannot be confirmed',
  '* closed_by_staff': 'Alert closed by support',
};

/** Of a dose of which a part is taken. */
const PART_TITLES: Record<string, string> = {
  raised: 'Only part of the dose was taken so far',
  escalated: 'Reminder: only part of the dose was taken so far',
  unknown: 'Rest of the dose cannot be confirmed',
  not_taken_yet: 'Correction: only part of the dose was taken so far',
};

/**
 * Which titles a mail may have; several where it alone shows how the alert ended.
 *
 * @param lastAction of the bottle when the alert ended
 */
export function titlesOf(
  kind: string,
  event: string,
  {
    pills_taken: taken,
    unreported_pills: unreported,
    not_monitored,
    other_person,
    outcome,
    asks_pillbox: asks,
    offline_since,
    never_reported,
  }: Evidence,
  lastAction?: 'opened' | 'closed',
): string[] {
  const offline = offline_since !== undefined || never_reported !== undefined;
  if (kind === 'missed_dose' && Number(taken) > 0 && PART_TITLES[event]) return [PART_TITLES[event]];
  if (kind === 'dose_reminder') {
    if (Number(taken) > 0) return ['Dose reminder: part of the dose was taken'];
    if (event === 'escalated') return offline ? ['Dose reminder'] : ['Dose reminder: not taken yet'];
  }
  if (event === 'resolved' && other_person) return ['Bottle is another person’s now'];
  // of pills it says why they were extra, not why they are no longer
  if (kind !== 'extra_dose' && event === 'resolved' && not_monitored !== undefined)
    return ['Bottle is not monitored for now'];
  if (kind === 'extra_dose' && asks && (event === 'raised' || event === 'escalated'))
    return [
      event === 'raised' ? 'Were pills moved to a pillbox?' : 'Reminder: were pills moved to a pillbox?',
    ];
  if (kind === 'extra_dose' && event === 'retracted' && not_monitored === 'pillbox')
    return ['Pills were moved to a pillbox'];
  if (event === 'retracted' && outcome === 'not_monitored') return ['Correction: the dose was not monitored'];
  switch (`${kind} ${event}`) {
    case 'bottle_open resolved':
      if (unreported !== undefined) return ['Bottle was probably closed'];
      return [lastAction === 'opened' ? 'Bottle was opened again' : 'All clear: bottle closed'];
    case 'low_supply resolved':
      return ['All clear: bottle refilled', 'All clear: pills last long enough'];
    case 'count_mismatch resolved':
      return ['All clear: weight and pill count agree', 'All clear: another medication is in the bottle'];
  }
  const reported = /^reported_(taken|skipped)$/.exec(event)?.[1];
  if (reported !== undefined)
    return ['Dose', 'Correction: dose'].flatMap((dose) =>
      REPORTERS.map((by) => `${dose} reported ${reported} by ${by}`),
    );
  const title = TITLES[`${kind} ${event}`] ?? TITLES[`* ${event}`];
  return title === undefined ? [] : [title];
}
