import {
  ALERT_ENDINGS,
  ALERT_KINDS,
  alertKindFacts,
  BY_URGENCY,
  damageOf,
  isCritical,
} from './alert-kinds.js';
import { EVIDENCE, sampleAlert } from './testing.js';

it('gives each kind its own urgency', () => {
  const urgencies = ALERT_KINDS.map((kind) => alertKindFacts(kind).urgency);
  expect(new Set(urgencies).size).toBe(ALERT_KINDS.length);
  expect(BY_URGENCY.slice(0, 3)).toEqual(['fleet_incident', 'help_requested', 'extra_dose']);
});

it('lets quiet hours defer all but calls for help and pills beyond the plan, and of those a single one too early', () => {
  const critical = (evidence: object) =>
    ALERT_KINDS.filter((kind) => isCritical(sampleAlert(kind, { evidence })));
  expect(critical({ rule: 'several_doses' })).toEqual(['extra_dose', 'help_requested']);
  expect(critical({ rule: 'too_early' })).toEqual(['help_requested']);
  expect(critical({ rule: 'too_early', is_rare: true })).toEqual(['extra_dose', 'help_requested']);
});

it('knows the endings of every kind once, and those that any kind has', () => {
  expect(new Set(ALERT_ENDINGS).size).toBe(ALERT_ENDINGS.length);
  expect(ALERT_ENDINGS).toEqual(
    expect.arrayContaining(['unknown', 'charged', 'retracted', 'closed_by_staff']),
  );
});

describe('the evidence of a stored alert', () => {
  it.each(ALERT_KINDS)('is read as it is: %s', (kind) => {
    expect(damageOf(kind, EVIDENCE[kind])).toBeUndefined();
    expect(damageOf(kind, { ...EVIDENCE[kind], of_a_later_version: 1 })).toBeUndefined();
  });

  it.each(ALERT_KINDS)('is damaged without any of what it always has: %s', (kind) => {
    const fields = Object.keys(EVIDENCE[kind]).filter((field) => field !== 'unconfirmed_doses');
    for (const field of fields) expect(damageOf(kind, { ...EVIDENCE[kind], [field]: null })).toBeDefined();
    expect(damageOf(kind, undefined)).toBeDefined();
    expect(damageOf(kind, [])).toBeDefined();
  });

  it.each([
    ['missed_dose', { taken_at: '08:00' }, 'evidence.taken_at is absent or damaged'],
    ['missed_dose', { reported: { settled: 'taken' } }, 'evidence.reported is absent or damaged'],
    ['bottle_silent', { unconfirmed_doses: [1] }, 'evidence.unconfirmed_doses is absent or damaged'],
    ['bottle_silent', { rule: 'of_a_later_version' }, 'an unknown rule: of_a_later_version'],
    ['of_a_later_version', {}, 'an unknown kind: of_a_later_version'],
  ] as const)('of %s is damaged by %j', (kind, field, damage) => {
    expect(damageOf(kind, { ...EVIDENCE[kind as 'missed_dose'], ...field })).toBe(damage);
  });

  it('may have null for what it does not have', () => {
    expect(damageOf('bottle_open', { ...EVIDENCE.bottle_open, last_heard_at: null })).toBeUndefined();
  });
});
