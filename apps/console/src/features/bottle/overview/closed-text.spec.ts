import { closedText } from './closed-text.js';

test.each([
  [null, null, 'Closed; how many pills were removed is not known'],
  [null, 12, 'Closed; how many pills were removed is not known, 12 left'],
  [0, null, 'Closed: no pills removed'],
  [0, 12, 'Closed: no pills removed, 12 left'],
  [0.5, 0, 'Closed: ½ pill removed, 0 left'],
  [2, null, 'Closed: 2 pills removed'],
])('of %s pills taken and %s left a closing says: %s', (pills_taken, number_of_pills, text) => {
  expect(closedText({ pills_taken, number_of_pills })).toBe(text);
});
