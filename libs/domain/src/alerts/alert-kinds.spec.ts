import { ALERT_ENDINGS, ALERT_KINDS, alertKindFacts, BY_URGENCY, isCritical } from './alert-kinds.js';

it('gives each kind its own urgency', () => {
  const urgencies = ALERT_KINDS.map((kind) => alertKindFacts(kind).urgency);
  expect(new Set(urgencies).size).toBe(ALERT_KINDS.length);
  expect(BY_URGENCY.slice(0, 3)).toEqual(['fleet_incident', 'extra_dose', 'missed_dose']);
});

it('lets quiet hours defer all but pills beyond the plan, and of those a single one too early', () => {
  const critical = (evidence: object) => ALERT_KINDS.filter((kind) => isCritical({ kind, evidence }));
  expect(critical({ rule: 'several_doses' })).toEqual(['extra_dose']);
  expect(critical({ rule: 'too_early' })).toEqual([]);
  expect(critical({ rule: 'too_early', is_rare: true })).toEqual(['extra_dose']);
});

it('knows the endings of every kind once, and those that any kind has', () => {
  expect(new Set(ALERT_ENDINGS).size).toBe(ALERT_ENDINGS.length);
  expect(ALERT_ENDINGS).toEqual(
    expect.arrayContaining(['unknown', 'charged', 'retracted', 'closed_by_staff']),
  );
});
