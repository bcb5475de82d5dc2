import { mistakesOf, type OnePerson } from './mistakes.js';

const IN_TIME: OnePerson = {
  dose: { due: 0, fate: 'in time', opened: 3 },
  closed: 3.5,
  acknowledged: 2,
  logged: ['e1', 'e2'],
  outcomes: ['taken_on_time'],
  alerts: [],
  messages: [],
};
const LATE: OnePerson = {
  ...IN_TIME,
  dose: { due: 0, fate: 'late', opened: 80 },
  closed: 80.5,
  outcomes: ['taken_late'],
  alerts: [{ kind: 'missed_dose', state: 'resolved' }],
  messages: ['missed_dose raised', 'missed_dose resolved'],
};
const NEVER: OnePerson = {
  dose: { due: 0, fate: 'never' },
  acknowledged: 0,
  logged: [],
  outcomes: [],
  alerts: [{ kind: 'missed_dose', state: 'open' }],
  messages: ['missed_dose raised'],
};

describe('a morning without a mistake', () => {
  it.each<[string, OnePerson]>([
    ['taken in time', IN_TIME],
    ['taken early', { ...IN_TIME, closed: -0.1, outcomes: ['taken_early'] }],
    ['taken late', LATE],
    ['taken late, before anybody knew', { ...LATE, alerts: [], messages: [] }],
    ['taken late, before it was sent', { ...LATE, messages: [] }],
    [
      'taken late, and a notifier was killed while it sent the start',
      { ...LATE, messages: ['missed_dose resolved'], isStartDoubtful: true },
    ],
    ['never taken', NEVER],
  ])('%s', (_, person) => expect(mistakesOf(person)).toEqual([]));
});

describe('a morning with a mistake', () => {
  it.each<[string, OnePerson]>([
    ['an acknowledged action is lost', { ...IN_TIME, logged: ['e1'] }],
    ['an action is there twice', { ...IN_TIME, logged: ['e1', 'e2', 'e2'] }],
    ['a dose is not judged', { ...IN_TIME, outcomes: [] }],
    ['a dose is judged twice', { ...IN_TIME, outcomes: ['taken_on_time', 'taken_on_time'] }],
    ['a dose is judged wrongly', { ...IN_TIME, outcomes: ['taken_late'] }],
    ['an early dose is taken for one in time', { ...IN_TIME, closed: -0.1 }],
    ['somebody is blamed', { ...IN_TIME, alerts: LATE.alerts }],
    ['there is another alert', { ...IN_TIME, alerts: [{ kind: 'bottle_open', state: 'open' }] }],
    ['somebody is notified of nothing', { ...IN_TIME, messages: ['missed_dose raised'] }],
    ['the alert of a late dose goes on', { ...LATE, alerts: NEVER.alerts }],
    ['nobody hears that it was taken', { ...LATE, messages: ['missed_dose raised'] }],
    ['only an end comes', { ...LATE, messages: ['missed_dose resolved'] }],
    ['a missed dose has no alert', { ...NEVER, alerts: [], messages: [] }],
    ['a missed dose has two', { ...NEVER, alerts: [...NEVER.alerts, ...NEVER.alerts] }],
    ['a message is lost', { ...NEVER, messages: [] }],
    ['a message comes twice', { ...NEVER, messages: ['missed_dose raised', 'missed_dose raised'] }],
  ])('%s', (_, person) => expect(mistakesOf(person)).not.toEqual([]));
});
