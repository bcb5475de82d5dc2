import { Random } from './random.js';

const draw = (random: Random) => Array.from({ length: 1000 }, () => random.next());

it('is the same for the same seed and different for another', () => {
  expect(draw(new Random('a', 1))).toEqual(draw(new Random('a', 1)));
  expect(draw(new Random('a', 1))).not.toEqual(draw(new Random('a', 2)));
  expect(draw(new Random('a', 1))).not.toEqual(draw(new Random('a1')));
});

it('is spread evenly', () => {
  const random = new Random('even');
  const mean = draw(random).reduce((sum, value) => sum + value, 0) / 1000;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
  const counts = [0, 0, 0];
  for (let index = 0; index < 3000; index += 1) counts[random.integer(1, 3) - 1]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect([0, 1].map((probability) => random.chance(probability))).toEqual([false, true]);
});
