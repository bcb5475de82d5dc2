import { Turns } from './turns.js';

/** Enters as the caller that its first letter names. */
function entering(turns: Turns): { enter: (name: string) => boolean; begun: string[] } {
  const begun: string[] = [];
  const enter = (name: string): boolean => {
    const turn = turns.enter(name[0]!);
    if (turn) void turn.then(() => begun.push(name));
    return turn !== false;
  };
  return { enter, begun };
}

it('lets a caller have so many at once, in order, and others theirs', async () => {
  const turns = new Turns(2, 2);
  const { enter, begun } = entering(turns);
  expect(['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map(enter)).toEqual([true, true, true, true, false, true]);
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (const after of [[], ['a3'], ['a4'], []]) {
    begun.length = 0;
    turns.leave('a');
    await Promise.resolve();
    expect(begun).toEqual(after);
  }
  ['a6', 'a7', 'a8'].map(enter);
  await Promise.resolve();
  expect(begun).toEqual(['a6', 'a7']);
});

it('lets a caller of whom some wait have one at a time, and what comes later wait behind them', async () => {
  const turns = new Turns(3, 9);
  const { enter, begun } = entering(turns);
  ['a1', 'a2', 'a3', 'a4', 'a5'].map(enter);
  turns.leave('a');
  turns.leave('a');
  enter('a6');
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  for (const next of ['a4', 'a5', 'a6']) {
    turns.leave('a');
    await Promise.resolve();
    expect(begun.at(-1)).toBe(next);
  }
});
