import { LruMap } from './lru-map.js';

it('lets go what was not asked for the longest', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
});

it('replaces and forgets', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect([map.get('a'), map.get('b'), map.size]).toEqual([3, 2, 2]);
  map.delete('a');
  expect([map.get('a'), map.size]).toEqual([undefined, 1]);
  map.set('c', 5);
  map.deleteWhere((value) => value < 5);
  expect([map.get('b'), map.get('c')]).toEqual([undefined, 5]);
});
