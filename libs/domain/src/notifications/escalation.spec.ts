import { MINUTE_MS } from '../time/durations.js';
import fc from 'fast-check';
import { dueSteps, type EscalationStep, nextStepAt, stepsToPersons, withoutRepeats } from './escalation.js';

const RAISED = new Date('2026-03-02T08:00:00Z');
const at = (minutes: number): Date => new Date(RAISED.getTime() + minutes * MINUTE_MS);
const due = (steps: EscalationStep[], after: number | undefined, until: number): string[] =>
  dueSteps(steps, RAISED, after === undefined ? undefined : at(after), at(until)).map(
    (step) => `${step.index}.${step.round} ${(step.at.getTime() - RAISED.getTime()) / MINUTE_MS}m`,
  );

it('a plan without a step at once tells nobody before its first step', () => {
  const steps: EscalationStep[] = [{ after: '30m', to: 'carer' }];
  expect(due(steps, undefined, 29)).toEqual([]);
  expect(nextStepAt(steps, RAISED, at(-1))).toEqual(at(30));
  expect(due(steps, undefined, 30)).toEqual(['0.0 30m']);
  expect(nextStepAt(steps, RAISED, at(30))).toBeUndefined();
});

it('a step that repeats comes round again and again, counted from the first time', () => {
  const steps: EscalationStep[] = [
    { after: '0m', to: 'user' },
    { after: '5m', to: 'carer', repeat: '10m' },
  ];
  expect(due(steps, undefined, 30)).toEqual(['0.0 0m', '1.0 5m', '1.1 15m', '1.2 25m']);
  expect(due(steps, 5, 25)).toEqual(['1.1 15m', '1.2 25m']);
  expect(nextStepAt(steps, RAISED, at(25))).toEqual(at(35));
});

it('steps without their repeats come once each', () => {
  const steps: EscalationStep[] = [
    { after: '0m', to: 'user', repeat: '10m', until: 'acknowledged' },
    { after: '4h', to: 'carer', kinds: ['missed_dose'] },
  ];
  expect(due(withoutRepeats(steps), undefined, 600)).toEqual(['0.0 0m', '1.0 240m']);
  expect(nextStepAt(withoutRepeats(steps), RAISED, at(180))).toEqual(at(240));
  expect(nextStepAt(withoutRepeats(steps), RAISED, at(240))).toBeUndefined();
});

it.each(['0m', '0s', '1s', '59s'])(
  'a repeat interval of %s is ignored: reminders are never sent without a pause',
  (repeat) => {
    const steps: EscalationStep[] = [{ after: '0m', to: 'user', repeat }];
    expect(due(steps, undefined, 600)).toEqual(['0.0 0m']);
    expect(nextStepAt(steps, RAISED, at(600))).toBeUndefined();
  },
);

it('owes the same whether looked at once or at any moments in between', () => {
  const durations = fc.integer({ min: 0, max: 90 });
  const step = fc.record({
    after: durations.map((minutes) => `${minutes}m`),
    to: fc.constantFrom('user' as const, 'carer' as const),
    repeat: fc.integer({ min: 1, max: 60 }).map((minutes) => `${minutes}m`),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), fc.array(durations, { maxLength: 6 }), (steps, sweeps) => {
      const moments = [...new Set([...sweeps, 90])].sort((one, other) => one - other);
      const parts = moments.flatMap((until, index) => due(steps, moments[index - 1], until));
      expect(parts.sort()).toEqual(due(steps, undefined, 90).sort());
    }),
  );
});

describe('a step to a group', () => {
  const CARERS = [
    { id: 'carer', groups: ['family'] },
    { id: 'nurse' },
    { id: 'jonas', groups: ['x', 'family'] },
  ];
  const FAMILY = { after: '5m', to: 'group:family' };

  it.each<[string, EscalationStep, object[]]>([
    [
      'goes to all its carers at once',
      FAMILY,
      [
        { after: '5m', to: 'carer' },
        { after: '5m', to: 'jonas' },
      ],
    ],
    [
      'goes to them in turn',
      { ...FAMILY, in_turn: '10m', kinds: ['low_supply'] },
      [
        { after: '5m', to: 'carer', kinds: ['low_supply'] },
        { after: '15m', to: 'jonas', kinds: ['low_supply'] },
      ],
    ],
    [
      'repeats for each of them',
      { ...FAMILY, in_turn: '1h', repeat: '2h' },
      [
        { after: '5m', to: 'carer', repeat: '2h' },
        { after: '65m', to: 'jonas', repeat: '2h' },
      ],
    ],
    ['that has nobody goes to the user', { after: '0m', to: 'group:none' }, [{ after: '0m', to: 'user' }]],
  ])('%s', (_, step, expected) => expect(stepsToPersons([step], CARERS)).toEqual(expected));

  it('leaves steps to persons as they are', () => {
    const steps = [
      { after: '0m', to: 'user' },
      { after: '1m', to: 'nurse', repeat: '5m' },
    ];
    expect(stepsToPersons(steps, CARERS)).toEqual(steps);
  });
});
