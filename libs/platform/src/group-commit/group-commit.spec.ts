import { setImmediate as turn } from 'node:timers/promises';
import { GroupCommit, QueueFullError } from './group-commit.js';

/** A commit that the test lets go, group by group. */
class Gate {
  readonly groups: number[][] = [];
  private readonly pending: { resolve: (results: string[]) => void; reject: (error: Error) => void }[] = [];

  readonly commit = (items: number[]): Promise<string[]> => {
    this.groups.push(items);
    return new Promise((resolve, reject) => this.pending.push({ resolve, reject }));
  };

  /** Ends the oldest group that is on its way. */
  async end(error?: Error): Promise<void> {
    const { resolve, reject } = this.pending.shift()!;
    const group = this.groups[this.groups.length - this.pending.length - 1]!;
    if (error) reject(error);
    else resolve(group.map((item) => `r${item}`));
    await turn();
    await turn();
  }
}

const make = (limits: { group?: number; queued?: number; inFlight?: number } = {}) => {
  const gate = new Gate();
  return {
    gate,
    commits: new GroupCommit(gate.commit, { group: 100, queued: 100, inFlight: 1, ...limits }),
  };
};

it('sends a lone call at once, and those that come meanwhile as one group', async () => {
  const { gate, commits } = make();
  const first = commits.add([1]);
  await turn();
  expect(gate.groups).toEqual([[1]]);
  const others = [commits.add([2]), commits.add([3, 4]), commits.add([5])];
  await turn();
  expect(gate.groups).toHaveLength(1);
  await gate.end();
  expect(await first).toEqual(['r1']);
  expect(gate.groups).toEqual([[1], [2, 3, 4, 5]]);
  await gate.end();
  expect(await Promise.all(others)).toEqual([['r2'], ['r3', 'r4'], ['r5']]);
});

it('takes what one turn of the event loop brings in as one group', async () => {
  const { gate, commits } = make();
  void commits.add([1]);
  await Promise.resolve();
  void commits.add([2]);
  await turn();
  expect(gate.groups).toEqual([[1, 2]]);
});

it('fills groups in the order of a caller, and answers a call when all of its groups are done', async () => {
  const { gate, commits } = make({ group: 3 });
  const calls = [[0], [1, 2, 3, 4, 5, 6, 7], [8]].map((items) => commits.add(items, 'a caller'));
  await turn();
  await gate.end();
  expect(await calls[0]).toEqual(['r0']);
  for (let group = 0; group < 2; group += 1) await gate.end();
  expect(await Promise.all(calls)).toEqual([['r0'], [1, 2, 3, 4, 5, 6, 7].map((item) => `r${item}`), ['r8']]);
  expect(gate.groups).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
  ]);
});

it('takes callers in turn, a share of the group of each', async () => {
  const { gate, commits } = make({ group: 8 });
  void commits.add([0], 'busy');
  await turn();
  for (const items of [
    [1, 2, 3],
    [4, 5, 6],
  ])
    void commits.add(items, 'busy');
  const single = commits.add([7], 'calm');
  void commits.add([8, 9, 10], 'other');
  await gate.end();
  expect(gate.groups[1]).toEqual([1, 2, 7, 8, 9]);
  await gate.end();
  expect(await single).toEqual(['r7']);
  await gate.end();
  await gate.end();
  expect(gate.groups.slice(2)).toEqual([
    [3, 4, 10],
    [5, 6],
  ]);
});

it('refuses the caller of whom most waits when the queue is full, and nobody else', async () => {
  const { gate, commits } = make({ queued: 6 });
  void commits.add([0], 'busy');
  await turn();
  const kept = commits.add([1, 2], 'busy');
  const dropped = commits.add([3, 4, 5], 'busy');
  void commits.add([6], 'calm');
  expect(commits.isFull()).toBe(false);
  expect(commits.refuses('busy', 100)).toBe(true);
  expect(commits.refuses('another', 100)).toBe(false);
  const single = commits.add([7], 'another');
  await expect(dropped).rejects.toThrow(QueueFullError);
  await expect(commits.add([8, 9, 10], 'busy')).rejects.toThrow(QueueFullError);
  await gate.end();
  await gate.end();
  expect(await kept).toEqual(['r1', 'r2']);
  expect(await single).toEqual(['r7']);
});

it('is full for everyone when one item waits of each caller', async () => {
  const { commits } = make({ queued: 2 });
  void commits.add([0]);
  await turn();
  void commits.add([1]);
  void commits.add([2]);
  expect(commits.isFull()).toBe(true);
  await expect(commits.add([3])).rejects.toThrow(QueueFullError);
});

it('lets wait of a caller what its limit allows', async () => {
  const { gate, commits } = make();
  void commits.add([0], 'a', 3);
  await turn();
  void commits.add([1, 2], 'a', 3);
  expect(commits.refuses('a', 3)).toBe(false);
  await expect(commits.add([3, 4], 'a', 3)).rejects.toThrow(QueueFullError);
  void commits.add([5], 'a', 3);
  expect(commits.refuses('a', 3)).toBe(true);
  await gate.end();
  expect(gate.groups[1]).toEqual([1, 2, 5]);
  // one call is taken, however long, when nothing waits
  void commits.add([6, 7, 8, 9], 'a', 3);
});

it('refuses at once what would make the queue too long, and takes it again when there is room', async () => {
  const { gate, commits } = make({ queued: 3 });
  void commits.add([0]);
  await turn();
  const waiting = [commits.add([1]), commits.add([2])];
  await expect(commits.add([3, 4])).rejects.toThrow(QueueFullError);
  const last = commits.add([5]);
  await expect(commits.add([6])).rejects.toThrow(QueueFullError);
  await gate.end();
  void commits.add([7]);
  await gate.end();
  expect(await Promise.all(waiting)).toEqual([['r1'], ['r2']]);
  expect(await last).toEqual(['r5']);
  expect(gate.groups).toEqual([[0], [1, 2, 5], [7]]);
});

it('takes a call that is longer than the queue when nobody waits', async () => {
  const { gate, commits } = make({ queued: 2 });
  const long = commits.add([1, 2, 3]);
  await turn();
  await gate.end();
  expect(await long).toEqual(['r1', 'r2', 'r3']);
});

it('fails the calls of a group that failed, and no others', async () => {
  const { gate, commits } = make();
  const first = commits.add([1]);
  await turn();
  const second = commits.add([2]);
  const failure = first.catch((error: Error) => error.message);
  await gate.end(new Error('no primary'));
  expect(await failure).toBe('no primary');
  await gate.end();
  expect(await second).toEqual(['r2']);
});

it('has no more groups on their way than it may', async () => {
  const { gate, commits } = make({ inFlight: 2, group: 1 });
  for (let item = 0; item < 5; item += 1) void commits.add([item]);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(gate.groups).toEqual([[0], [1]]);
  await gate.end();
  expect(gate.groups).toEqual([[0], [1], [2]]);
});

it('sends another group beside one on its way only when it is as large', async () => {
  const { gate, commits } = make({ inFlight: 2 });
  void commits.add([0, 1, 2]);
  await turn();
  void commits.add([3, 4]);
  await turn();
  expect(gate.groups).toEqual([[0, 1, 2]]);
  void commits.add([5]);
  await turn();
  expect(gate.groups).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  void commits.add([6, 7, 8]);
  await turn();
  expect(gate.groups).toHaveLength(2);
  await gate.end();
  expect(gate.groups).toHaveLength(3);
});

it('sends a full group beside another', async () => {
  const { gate, commits } = make({ inFlight: 2, group: 3 });
  void commits.add([0, 1, 2, 3, 4], 'a caller');
  await turn();
  void commits.add([5], 'a caller');
  await turn();
  expect(gate.groups).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
});

it('is idle when nothing waits and nothing is on its way', async () => {
  const { gate, commits } = make();
  await commits.idle();
  void commits.add([1]);
  await turn();
  void commits.add([2]);
  let idle = false;
  const waited = commits.idle().then(() => (idle = true));
  await gate.end();
  expect(idle).toBe(false);
  await gate.end();
  await waited;
  expect(idle).toBe(true);
});
