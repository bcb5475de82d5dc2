import { textOn } from './contrast.js';

it.each([
  ['#ffffff', '#000000'],
  ['#000000', '#ffffff'],
  ['#1f5fa8', '#ffffff'],
  ['#ffd500', '#000000'],
  // the contrast with white is 4.48:1 here, and with black 4.69:1
  ['#777777', '#000000'],
])('the text on %s is %s', (background, text) => {
  expect(textOn(background)).toBe(text);
});
