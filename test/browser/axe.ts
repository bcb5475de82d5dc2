import axe, { type Result } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations that axe finds, one line each.
 *
 * @param opened with an open menu, which belongs to its button and to no landmark, wherever it stands in the document
 */
export async function violations(page: Page, opened = false): Promise<string[]> {
  // evaluated rather than added as a script, which the page's policy would refuse
  await page.evaluate(axe.source);
  const found = await page.evaluate<Result[]>(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true }, region: { enabled: ${!opened} } } })` +
      '.then(({ violations }) => violations)',
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${failureSummary}`),
  );
}
