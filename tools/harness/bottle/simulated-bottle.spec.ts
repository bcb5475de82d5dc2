import { testBottle } from './testing.js';

/** The lid actions that the bottle has reported. */
function lids({ api }: ReturnType<typeof testBottle>): string[] {
  return api.calls.flatMap((call) => {
    const items = call.path === 'batch' ? call.body.items : call.path === 'actions' ? [call.body] : [];
    return items.flatMap((item) =>
      'action' in item ? [`${item.action} ${item.pills_taken ?? '-'} ${item.number_of_pills}`] : [],
    );
  });
}

it('reports a dose as an opening and a closing with the pill gone', async () => {
  const test = testBottle();
  test.bottle.take(1, 500);
  await test.advance(1_000);
  expect(lids(test)).toEqual(['opened - 30', 'closed 1 29']);
});

it('reports a dose taken from an open bottle when it is closed, whoever closes it', async () => {
  const test = testBottle();
  test.bottle.take(0, 2_000);
  await test.advance(1_500);
  test.bottle.take(1, 1_000);
  await test.advance(5_000);
  expect(lids(test)).toEqual(['opened - 30', 'closed 1 29']);
});

it('is filled up when it is empty, and never holds less than nothing', async () => {
  const test = testBottle();
  for (let dose = 0; dose < 31; dose += 1) {
    test.bottle.take(1, 100);
    await test.advance(200);
  }
  expect(lids(test).slice(-3)).toEqual(['closed 1 0', 'opened - 0', 'closed 1 59']);
});

it('opens an open bottle and closes a closed one without a word', async () => {
  const test = testBottle();
  test.bottle.closeLid();
  test.bottle.openLid();
  test.bottle.openLid();
  await test.advance(0);
  expect(lids(test)).toEqual(['opened - 30']);
  expect(test.bottle.open).toBe(true);
});
