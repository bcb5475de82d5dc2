import { notificationEventFacts } from '../../../notifications/notification-events.js';
import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { notMonitoredLines } from '../../not-monitored.js';
import { MISSED_DOSE_EVIDENCE, type MissedDoseEvidence, statementIn } from './evidence.js';
import {
  isPart,
  leftOpen,
  NAMES_PART,
  partTaken,
  removedForLater,
  statedTitle,
  statementLines,
  unknownLines,
} from './texts.js';

const MEASURED = ['taken_late', 'partial', 'missed', 'unknown'] as const;

export const MISSED_DOSE = {
  title: 'Dose not taken yet',
  series: 'Missed dose',
  urgency: 2,
  evidence: MISSED_DOSE_EVIDENCE,
  foundBy: 'doses',
  unthrottled: true,
  asksForDose: true,
  // as people stated, or else as the bottle measured
  endings: endsIn([...MEASURED, 'reported_taken', 'reported_skipped'], (evidence: MissedDoseEvidence) => {
    const settled = statementIn(evidence)?.settled;
    if (settled === 'taken' || settled === 'skipped') return `reported_${settled}`;
    return MEASURED.find((outcome) => outcome === evidence.outcome);
  }),
  titles: {
    // whoever reads that nothing was taken may give all of it
    raised: (evidence, say) => (isPart(evidence) ? say('Only part of the dose was taken so far') : undefined),
    escalated: (evidence, say) =>
      say(
        isPart(evidence)
          ? 'Reminder: only part of the dose was taken so far'
          : 'Reminder: dose still not taken',
      ),
    unknown: (evidence, say) => (isPart(evidence) ? say('Rest of the dose cannot be confirmed') : undefined),
    resolved: 'All clear: late dose taken',
    not_taken_yet: (evidence, say) =>
      isPart(evidence) ? say('Correction: only part of the dose was taken so far') : undefined,
    retracted: ({ outcome }, say) =>
      say(
        outcome === 'not_monitored'
          ? 'Correction: the dose was not monitored'
          : 'Correction: the dose was taken',
      ),
    reported_taken: statedTitle,
    reported_skipped: statedTitle,
  },
  lines: ({ event, subject, evidence }, phrases) => [
    phrases.say('Due: {{time}}.', { time: phrases.at(subject) }),
    ...(NAMES_PART.has(event) ? partTaken(evidence, phrases) : []),
    ...(event === 'retracted' ? notMonitoredLines(evidence, phrases.say) : []),
    ...(event === 'monitored_again'
      ? [phrases.say('The bottle is monitored after all: a period was changed.')]
      : []),
    ...(event === 'not_taken_yet'
      ? [
          phrases.say(
            'By what the bottle has reported since, its pills are in the bottle or count for another dose.',
          ),
        ]
      : []),
    ...leftOpen(event, evidence, phrases),
    ...removedForLater(event, evidence, phrases.say),
    ...(notificationEventFacts(event).settledAs ? statementLines(event, evidence, phrases) : []),
    ...(event === 'unknown' ? unknownLines(evidence, phrases) : []),
  ],
  afterClosing: 'This does not say whether the dose was taken. You get a message if it is missed.',
} as const satisfies AlertKindFacts<MissedDoseEvidence>;
