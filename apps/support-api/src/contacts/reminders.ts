import { delay, type EscalationStep, HOUR_MS } from '#domain';
import { Problem } from '#platform';

/** A reminder comes at most so long before or after the time of its dose (included). Milliseconds. */
const FARTHEST_MS = 12 * HOUR_MS;

/**
 * What the class of a step cannot say: its time is that of an alert or of a dose, and a reminder goes to the user, once.
 *
 * @throws Problem 400
 */
export function requireSteps(steps: readonly EscalationStep[]): void {
  steps.forEach((step, index) => requireStep(step, `escalation[${index}]`));
}

function requireStep(step: EscalationStep, at: string): void {
  if (step.remind === undefined) {
    if (step.after === undefined)
      throw Problem.field(`${at}.after`, 'missing_field', `${at}.after is missing`);
    return;
  }
  const other = (['after', 'until', 'repeat', 'kinds'] as const).find((field) => step[field] !== undefined);
  if (other)
    throw Problem.field(`${at}.${other}`, 'forbidden_field', `${at}.${other} does not go with remind`);
  if (step.to !== 'user')
    throw Problem.field(`${at}.to`, 'invalid_value', 'a reminder of a dose goes to the user');
  if (Math.abs(delay(step)) > FARTHEST_MS)
    throw Problem.field(`${at}.remind`, 'out_of_range', `${at}.remind must be from -12h to 12h`);
}
