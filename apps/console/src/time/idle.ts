import { machineNow } from './clock.js';

const INPUT = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

let lastInputAt = machineNow();
for (const event of INPUT) {
  window.addEventListener(event, () => (lastInputAt = machineNow()), { capture: true, passive: true });
}

/** For how long nobody has used this page; the time in which the machine slept counts. Milliseconds. */
export function idleTime(): number {
  return machineNow() - lastInputAt;
}
