import type { Fault } from '../fault.js';

const PLAN = 'libs/domain/src/doses/plan.ts';
const WARNINGS = 'libs/domain/src/doses/schedule-warnings.ts';

/** How the steps of a plan change. */
export const PLANS: readonly Fault[] = [
  {
    name: 'a change for today drops the planned steps',
    file: PLAN,
    find: '...(replaced.replaces_later ? [] : others',
    replace: '...(!replaced.replaces_later ? [] : others',
    caughtBy: ['edit-today-leaves-the-planned-step'],
  },
  {
    name: 'later steps stay although they are replaced',
    file: PLAN,
    find: '...(replaced.replaces_later ? [] : others',
    replace: '...(replaced.replaces ? [] : others',
    caughtBy: ['steps-that-are-moved-and-replaced'],
  },
  {
    name: 'a step that is moved stays where it was, too',
    file: PLAN,
    find: '+effective_from !== Number(replaced.replaces)',
    replace: '!Number.isNaN(+effective_from)',
    caughtBy: ['steps-that-are-moved-and-replaced'],
  },
  {
    name: 'a step that begins with another is another step',
    file: PLAN,
    find: 'effective_from > begins)),',
    replace: 'effective_from >= begins)),',
    caughtBy: ['steps-that-are-moved-and-replaced'],
  },
  {
    name: 'a removed step leaves its time to the first step',
    file: PLAN,
    find: 'versions.findLast(({ effective_from }) => effective_from < begins)',
    replace: 'versions.find(({ effective_from }) => effective_from < begins)',
    caughtBy: ['libs/domain/src/doses/plan.spec.ts'],
  },
  {
    name: 'a step in effect that is removed never was',
    file: PLAN,
    find: 'if (begins > now) return versions.filter',
    replace: 'if (begins >= versions[0]!.effective_from) return versions.filter',
    caughtBy: ['step-that-is-removed'],
  },
  {
    name: 'of two steps that are saved to begin at once, that of the faster clock holds',
    file: PLAN,
    find: 'Math.max(+now, ...begun.map(({ effective_from }) => +effective_from))',
    replace: 'Math.max(+now, begun.length - begun.length)',
    caughtBy: ['libs/domain/src/doses/plan.spec.ts'],
  },
  {
    name: 'windows that overlap by half give a warning',
    file: WARNINGS,
    find: 'if (2 * apart < window)',
    replace: 'if (2 * apart <= window)',
    caughtBy: ['libs/domain/src/doses/schedule-warnings.spec.ts'],
  },
  {
    name: 'a dose that is missed as the next one is due gives a warning',
    file: WARNINGS,
    find: 'if (missed_ms > apart)',
    replace: 'if (missed_ms >= apart)',
    caughtBy: ['libs/domain/src/doses/schedule-warnings.spec.ts'],
  },
  {
    name: 'doses over midnight are a day apart',
    file: WARNINGS,
    find: '* DAY_MS + first - times.at(-1)!;',
    replace: '* DAY_MS;',
    caughtBy: ['libs/domain/src/doses/schedule-warnings.spec.ts'],
  },
];
