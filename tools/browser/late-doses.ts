import type { BrowserHarness } from './harness.js';
import { asAdmin, type TestBottle } from '../harness/services.js';
import { verified } from '../harness/verified.js';
import { partOf } from '../scenario/content/read-mail.js';

/** The settings by which the services send links, and the operator is named. */
export const OPERATOR = {
  PUBLIC_URL: 'http://support.example',
  LINK_SECRET: 'a-link-secret-of-at-least-32-characters',
  OPERATOR_NAME: 'South Pharmacy',
  OPERATOR_COLOR: '#ffd500',
  OPERATOR_PHONE: '+49 30 123456',
  OPERATOR_IMPRINT_URL: 'http://support.example/imprint',
};

/** At 06:00 UTC, half an hour before the dose of {@link lateDoses}. */
export const MORNING = new Date('2026-03-02T06:00:00Z');

/** A dose that is late, and the mail about it. */
export interface LateDose {
  bottle: TestBottle;
  /** The HTML part of the mail. */
  html: string;
  /** Of the page behind its link. */
  path: string;
}

/** Lets the doses of these bottles of a user become late, each with its mail. Started at {@link MORNING}. */
export async function lateDoses(
  { services }: BrowserHarness,
  user_id: string,
  labels: readonly string[],
): Promise<LateDose[]> {
  const email = `${user_id}@example.test`;
  const contact = { name: 'Anna Schmidt', email, time_zone: 'Europe/Berlin' };
  await asAdmin(services.support).put(`/v1/contacts/${user_id}`).send(verified(contact)).expect(201);
  const schedule = { kind: 'times_of_day', times: ['06:30'], time_zone: 'UTC' };
  const bottles: TestBottle[] = [];
  for (const label of labels) bottles.push(await services.register({ user_id, label, schedule }));
  const late = new Date(MORNING.getTime() + 95 * 60_000);
  const minutes = Math.ceil((late.getTime() - services.clock.now().getTime()) / 60_000);
  await services.pass(Math.max(0, minutes));
  for (const bottle of bottles) await bottle.post('/v1/heartbeats', {}).expect(204);
  await services.pass(2);
  const { raw } = services.mail.mails.findLast(({ to }) => to.includes(email))!;
  const html = partOf(raw, 'text/html');
  const paths = [...html.matchAll(/<a href="http:\/\/support\.example(\/a\/[\w.-]+)"/g)].map(
    ([, path]) => path!,
  );
  const ends = [...html.matchAll(/>Bottle (\w{6}) /g)].map(([, end]) => end!);
  return ends.map((end, index) => ({
    bottle: bottles.find(({ id }) => id.endsWith(end))!,
    html,
    path: paths[index]!,
  }));
}
