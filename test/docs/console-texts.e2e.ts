import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const API = 'apps/support-api/src';

const api = readdirSync(API, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(join(API, file), 'utf8'))
  .join('\n');
/** A page's texts. They are read: types of the browser belong to the console only. */
const inConsole = (file: string): string => readFileSync(`apps/console/src/features/${file}`, 'utf8');
const inApi = (pattern: RegExp): string[] => [...api.matchAll(pattern)].map(([, found]) => found!);

/** The texts of the sources in a folder, without the specs. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

describe('the console has a text', () => {
  it('for every action of the audit log', () => {
    const actions = new Set([
      ...inApi(/action: '([a-z_]+\.[a-z_]+)'/g),
      ...inApi(/@PostAction(?:OnMany)?\('(\w+)'/g).map((verb) => `alert.${verb}`),
    ]);
    expect(actions.size).toBeGreaterThan(50);
    // one without a text is shown as the API writes it: `dose: attest`
    const texts = inConsole('audit/audit-text.ts');
    expect([...actions].filter((action) => !texts.includes(`'${action}'`))).toEqual([]);
  });

  it('for every field whose value the audit log keeps', () => {
    const kept = inApi(/keep: \[([^\]]+)\]/g).flatMap((names) => names.match(/\w+/g) ?? []);
    const fields = inConsole('../api/field-names.ts');
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.filter((field) => !fields.includes(`\n  ${field}: t(`))).toEqual([]);
  });

  it('for every reason for which the notifier holds or cancels a notification', () => {
    const source = ['libs/domain/src/notifications', 'apps/notifier/src/delivery']
      .flatMap(sourcesIn)
      .join('\n');
    const states = ['open', 'acknowledged', 'resolved', 'retracted', 'closed'];
    const written = [...source.matchAll(/reason(?:: | = )(['"`])(.+?)\1/g)]
      .flatMap(([, , reason]) => states.map((state) => reason!.replace('${alert.state}', state)))
      // `10 attempts failed` is made of a number
      .filter((reason) => !reason.includes('${'));
    const texts = inConsole('notifications/reasons.ts');
    expect(written.length).toBeGreaterThan(15);
    expect(written.filter((reason) => !new RegExp(`['" ]${reason}['"]?: t\\(`).test(texts))).toEqual([]);
  });

  it('for whatever else the notifier and the pages behind links write for staff', () => {
    const folders = [
      'libs/domain/src/alerts',
      'libs/domain/src/notifications',
      'apps/notifier/src',
      'apps/support-api/src/links',
    ];
    const source = folders.flatMap(sourcesIn).join('\n');
    const written = [...source.matchAll(/(?:note|reason): '([^']+)'/g)].map(([, text]) => text!);
    const texts = inConsole('notifications/reasons.ts');
    expect(written.length).toBeGreaterThan(15);
    expect(
      written.filter((text) => !texts.includes(`${text}': t(`) && !texts.includes(`${text}: t(`)),
    ).toEqual([]);
  });
});
