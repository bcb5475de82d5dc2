import { setImmediate as turn } from 'node:timers/promises';
import { TaskPool } from './task-pool.js';

/** Tasks that the test ends. */
class Tasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();

  make(name: string): () => Promise<void> {
    return () => {
      this.started.push(name);
      return new Promise((resolve, reject) =>
        this.ends.set(name, (error) => (error ? reject(error) : resolve())),
      );
    };
  }

  async end(name: string, error?: Error): Promise<void> {
    this.ends.get(name)!(error);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}

it('starts no more tasks than its size, and the next when one has ended', async () => {
  const tasks = new Tasks();
  const pool = new TaskPool(2);
  const all = (async () => {
    for (const name of ['a', 'b', 'c', 'd']) await pool.start(tasks.make(name));
  })();
  await turn();
  expect(tasks.started).toEqual(['a', 'b']);
  await tasks.end('b');
  // a hangs, and takes one place only
  expect(tasks.started).toEqual(['a', 'b', 'c']);
  await tasks.end('c');
  await all;
  expect(tasks.started).toEqual(['a', 'b', 'c', 'd']);
  await tasks.end('d');
  expect(pool.isIdle).toBe(false);
  await tasks.end('a');
  expect(pool.isIdle).toBe(true);
});

it('waits until all tasks have ended, or for a limited time', async () => {
  const tasks = new Tasks();
  const pool = new TaskPool(2);
  await pool.start(tasks.make('a'));
  await pool.start(tasks.make('b'));
  await pool.untilIdle(1);
  expect(pool.isIdle).toBe(false);
  let idle = false;
  const waited = pool.untilIdle(60_000).then(() => (idle = true));
  const all = pool.all();
  await tasks.end('a');
  expect(idle).toBe(false);
  await tasks.end('b');
  await waited;
  await all;
  expect(pool.isIdle).toBe(true);
});

it('throws what a task threw', async () => {
  const tasks = new Tasks();
  const pool = new TaskPool(2);
  await pool.start(tasks.make('a'));
  await pool.start(tasks.make('b'));
  await tasks.end('a', new Error('the database is gone'));
  await expect(pool.start(tasks.make('c'))).rejects.toThrow('the database is gone');
  const all = pool.all();
  void tasks.end('b');
  await expect(all).rejects.toThrow('the database is gone');
  expect(tasks.started).toEqual(['a', 'b']);
});
