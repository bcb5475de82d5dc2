const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Listeners of this module: one for each database of this process. */
let ours = 0;

/**
 * Stops the database with the process where its owner does not: when the script comes to its end, at
 * `process.exit`, and at a signal that nobody else listens for. Whoever listens has a shutdown of his own,
 * in which the database must stay up until he calls `stop`.
 * @returns undoes it
 */
export function stopWithProcess(stop: () => Promise<void>, stopWithoutWaiting: () => void): () => void {
  const onSignal = (name: NodeJS.Signals): void => {
    if (process.listenerCount(name) > ours) return;
    void stop().finally(() => process.kill(process.pid, name));
  };
  const onBeforeExit = (): void => void stop();
  ours += 1;
  for (const name of SIGNALS) process.on(name, onSignal);
  process.on('beforeExit', onBeforeExit);
  process.on('exit', stopWithoutWaiting);
  return () => {
    ours -= 1;
    for (const name of SIGNALS) process.off(name, onSignal);
    process.off('beforeExit', onBeforeExit);
    process.off('exit', stopWithoutWaiting);
  };
}
