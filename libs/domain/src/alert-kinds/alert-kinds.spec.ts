import { ALERT_ENDINGS, ALERT_KINDS, alertKindFacts, alertKindsThat, BY_URGENCY } from './alert-kinds.js';

it('gives each kind its own urgency', () => {
  const urgencies = ALERT_KINDS.map((kind) => alertKindFacts(kind).urgency);
  expect(new Set(urgencies).size).toBe(ALERT_KINDS.length);
  expect(BY_URGENCY.slice(0, 3)).toEqual(['fleet_incident', 'extra_dose', 'missed_dose']);
});

it('lets quiet hours defer all but the critical kinds', () => {
  expect(alertKindsThat('critical')).toEqual(['extra_dose']);
});

it('knows the endings of every kind once, and those that any kind has', () => {
  expect(new Set(ALERT_ENDINGS).size).toBe(ALERT_ENDINGS.length);
  expect(ALERT_ENDINGS).toEqual(
    expect.arrayContaining(['unknown', 'charged', 'retracted', 'closed_by_staff']),
  );
});
