import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

export interface CsvFile {
  name: string;
  rows: Record<string, string>[];
}

/** Downloads the page's CSV export. @param name of its link, or a part of that */
export async function downloadCsv(page: Page, name = 'Export CSV'): Promise<CsvFile> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  const text = await readFile(await file.path(), 'utf8');
  return {
    name: file.suggestedFilename(),
    rows: parse<CsvFile['rows'][number]>(text, { bom: true, columns: true }),
  };
}
