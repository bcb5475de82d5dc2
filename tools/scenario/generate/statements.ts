import type { Random } from '../../random.js';
import type { BottlePlan } from './bottle-plan.js';
import type { DueDose } from './oracle/due-doses.js';
import { HOUR, MINUTE, SECOND, type Span } from './oracle/facts.js';
import type { StatementFact } from './oracle/statements.js';

/** How often somebody says something about a dose. */
const SHARE = 0.5;

/** Draws what people say about doses, in order. A schedule that changes may lose a dose, and nobody can attest it then. */
export function drawStatements(
  random: Random,
  { prescriptions, pauses, moves }: BottlePlan,
  doses: readonly DueDose[],
  { from, to }: Span,
): StatementFact[] {
  if (prescriptions.length > 1 || pauses.length > 0 || moves) return [];
  return doses.flatMap(({ at: dose }) => {
    const isAttested = random.chance(SHARE);
    const first = dose + random.between(-HOUR, 10 * HOUR);
    const times = [
      first,
      first + random.between(5 * MINUTE, 3 * HOUR),
      first + random.between(3 * HOUR, 5 * HOUR),
    ];
    const [what, then, last] = [
      random.pick(['taken', 'taken', 'skipped', 'not_taken'] as const),
      random.pick(['taken', 'skipped', 'withdrawn', 'withdrawn', undefined, undefined] as const),
      random.pick(['taken', undefined, undefined] as const),
    ];
    if (!isAttested) return [];
    return [what, then, last].flatMap((each, index) => {
      const at = Math.floor(times[index]! / SECOND) * SECOND + 391;
      return each && from < at && at < to && times[0]! > from ? [{ dose, at, what: each }] : [];
    });
  });
}
