import type { Fault } from '../fault.js';

const HELP = 'libs/domain/src/alerts/kinds/help-requested/help-requested.ts';
const FACTS = 'libs/domain/src/alerts/kinds/help-requested/facts.ts';
const ANSWERS = 'apps/support-api/src/links/help-answers.ts';
const SPEC = 'libs/domain/src/alerts/kinds/help-requested/help-requested.spec.ts';

/** Calls for help with a dose. */
export const CALLS_FOR_HELP: readonly Fault[] = [
  {
    name: 'a call for help waits for the time of its steps',
    file: HELP,
    find: "{ ...step, after: '0m' }",
    replace: '{ ...step }',
    caughtBy: ['help-with-a-late-dose'],
  },
  {
    name: 'whoever asks for help is called',
    file: HELP,
    find: "if (alert?.kind !== 'help_requested') return addressees;",
    replace: 'if (alert) return addressees;',
    caughtBy: ['help-with-a-late-dose'],
  },
  {
    name: 'a carer who asks for help is called',
    file: HELP,
    find: 'if (asker) others!',
    replace: 'if (!asker) others!',
    caughtBy: [SPEC],
  },
  {
    name: 'a call for help is for nobody if no step is for a missed dose',
    file: 'libs/domain/src/notifications/owed.ts',
    find: 'callingSteps(steps.length > 0 ? steps : DEFAULT_ESCALATION)',
    replace: 'callingSteps(steps)',
    caughtBy: [SPEC],
  },
  {
    name: 'a call for help waits in quiet hours',
    file: FACTS,
    find: '  critical: true,\n',
    replace: '',
    caughtBy: ['help-with-a-late-dose'],
  },
  {
    name: 'a call for help that is withdrawn is not sent to whoever was called',
    file: HELP,
    find: "{ state: 'resolved', owed: 'resolved', at, by }",
    replace: "{ state: 'resolved', at, by }",
    caughtBy: ['help-with-a-late-dose'],
  },
  {
    name: 'a call for help that was withdrawn is shown as closed by staff',
    file: 'apps/support-api/src/alerts/alert-view.ts',
    find: " || kind === 'help_requested'",
    replace: '',
    caughtBy: [
      'test/support-api/dose-page.cases.ts: calls for help once however often it is pressed, shows who takes care of it, and withdraws it for an hour',
    ],
  },
  {
    name: 'every press is another call for help',
    file: ANSWERS,
    find: "derivedId('help', delivery._id, press)",
    replace: "derivedId('help', delivery._id, press, String(Math.random()))",
    caughtBy: [
      'test/support-api/dose-page.cases.ts: calls for help once however often it is pressed, shows who takes care of it, and withdraws it for an hour',
    ],
  },
];
