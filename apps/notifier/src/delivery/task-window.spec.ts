import { setImmediate as turn } from 'node:timers/promises';
import { TaskWindow } from './task-window.js';

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

it('starts no more than so many at once, and the next when one has ended', async () => {
  const tasks = new Tasks();
  const window = new TaskWindow(2);
  const all = (async () => {
    for (const name of ['a', 'b', 'c', 'd']) await window.start(tasks.make(name));
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
  expect(window.isIdle).toBe(false);
  await tasks.end('a');
  expect(window.isIdle).toBe(true);
});

it('waits for all, or for all for a time', async () => {
  const tasks = new Tasks();
  const window = new TaskWindow(2);
  await window.start(tasks.make('a'));
  await window.start(tasks.make('b'));
  await window.untilIdle(1);
  expect(window.isIdle).toBe(false);
  let idle = false;
  const waited = window.untilIdle(60_000).then(() => (idle = true));
  const all = window.all();
  await tasks.end('a');
  expect(idle).toBe(false);
  await tasks.end('b');
  await waited;
  await all;
  expect(window.isIdle).toBe(true);
});

it('says what a task threw, once the others have ended', async () => {
  const tasks = new Tasks();
  const window = new TaskWindow(2);
  await window.start(tasks.make('a'));
  await window.start(tasks.make('b'));
  await tasks.end('a', new Error('the database is gone'));
  await expect(window.start(tasks.make('c'))).rejects.toThrow('the database is gone');
  const all = window.all();
  void tasks.end('b');
  await expect(all).rejects.toThrow('the database is gone');
  expect(tasks.started).toEqual(['a', 'b']);
});
