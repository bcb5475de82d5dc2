import { Turns } from './turns.js';

it('lets a caller have so many at once, in order, and others theirs', async () => {
  const turns = new Turns(2, 2);
  const begun: string[] = [];
  const enter = (caller: string, name: string) => {
    const turn = turns.enter(caller);
    if (turn) void turn.then(() => begun.push(name));
    return turn !== false;
  };
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((name) => enter(name[0]!, name));
  await Promise.resolve();
  expect(all).toEqual([true, true, true, true, false, true]);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  turns.leave('a');
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  turns.leave('a');
  turns.leave('a');
  turns.leave('a');
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  enter('a', 'a6');
  await Promise.resolve();
  expect(begun.at(-1)).toBe('a6');
});
