const INPUT = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

let lastInputAt = Date.now();
for (const event of INPUT) {
  window.addEventListener(event, () => (lastInputAt = Date.now()), { capture: true, passive: true });
}

/** For how long nobody has used this page; the time in which the machine slept counts. Milliseconds. */
export function idleTime(): number {
  return Date.now() - lastInputAt;
}
