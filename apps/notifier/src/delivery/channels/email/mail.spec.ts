import type { Message, NotificationEvent } from '#domain';
import type { Delivery } from '#persistence';
import { Types } from 'mongoose';
import { composeMail, composeNotice, type MailSettings } from './mail.js';

const SETTINGS: MailSettings = {
  MAIL_NAMES_MEDICATION: false,
  OPERATOR_NAME: 'Apotheke <Süd>',
  OPERATOR_COLOR: '#ffd500',
  OPERATOR_LOGO_URL: 'https://south.example.org/logo.png?a=1&b=2',
  OPERATOR_PHONE: '+49 30 123456',
  OPERATOR_IMPRINT_URL: 'https://south.example.org/imprint',
};
const NAMED = { ...SETTINGS, MAIL_NAMES_MEDICATION: true };

const delivery = {
  _id: 'd1',
  alert_id: new Types.ObjectId(),
  kind: 'missed_dose',
  event: 'raised',
  bottle_id: new Types.ObjectId(),
} as Delivery;

function message(event: NotificationEvent, evidence: object = {}, medication = 'Cordrazine'): Message {
  return {
    type: `alert.${event}`,
    timestamp: '2026-03-01T09:00:00.000Z',
    data: {
      alert_id: 'a1',
      bottle_id: 'b1',
      user_id: 'will <script>',
      medication,
      kind: 'missed_dose',
      event,
      subject: '2026-03-01T08:00:00.000Z',
      state: 'open',
      deadline: '2026-03-01T09:00:00.000Z',
      raised_at: '2026-03-01T09:00:00.000Z',
      evidence,
    } as Message['data'],
  };
}

describe('a mail', () => {
  it('is in the language of its recipient, in both parts and in its foot', () => {
    const part = { delivery, message: message('raised'), stopUrl: 'https://x.test/s' };
    const { subject, text, html } = composeMail(
      [part, part],
      { language: 'de', time_zone: 'Europe/Berlin' },
      SETTINGS,
    );
    expect(subject).toBe('2 Nachrichten zu Pillendosen');
    const shown = [
      'Einnahme noch nicht erfolgt',
      'Sonntag, 1. März 2026 um 09:00:00 MEZ',
      'Fragen? Rufen Sie an: +49 30 123456',
      'Nachrichten an diese Adresse abbestellen',
    ];
    for (const each of shown) expect([text, html]).toEqual([0, 1].map(() => expect.stringContaining(each)));
    expect(html).toMatch(/^<!doctype html><html lang="de"/);
  });

  it('names its alerts, events and bottles to programs, in one order', () => {
    const one = { delivery, message: message('raised') };
    const other = {
      delivery: { ...delivery, _id: 'd2', event: 'missed' } as Delivery,
      message: message('missed'),
    };
    const bottle = delivery.bottle_id.toHexString();
    const alert = delivery.alert_id.toHexString();
    expect(composeMail([one, other], { time_zone: 'UTC' }, NAMED).headers).toEqual({
      'X-Pillwatch-Delivery': 'd1, d2',
      'X-Pillwatch-Alert': `${alert}, ${alert}`,
      'X-Pillwatch-Kind': 'missed_dose, missed_dose',
      'X-Pillwatch-Event': 'raised, missed',
      'X-Pillwatch-Bottle': `${bottle}, ${bottle}`,
    });
  });

  it("gives times in the recipient's zone, with the zone's name", () => {
    const { text } = composeMail(
      [{ delivery, message: message('raised') }],
      { time_zone: 'Asia/Kolkata' },
      NAMED,
    );
    expect(text).toContain('13:30');
    expect(text).toMatch(/GMT\+5:30|IST/);
  });

  it('names the medication in its body if it may, and never in its subject', () => {
    const mail = composeMail([{ delivery, message: message('raised') }], { time_zone: 'UTC' }, NAMED);
    expect(mail.text).toContain('Cordrazine');
    expect(mail.subject).toBe('Dose not taken yet');
    const { text, html } = composeMail(
      [{ delivery, message: message('raised') }],
      { time_zone: 'UTC' },
      SETTINGS,
    );
    expect(text + html).not.toContain('Cordrazine');
  });

  it('says what was really taken', () => {
    const taken = composeMail([{ delivery, message: message('resolved') }], { time_zone: 'UTC' }, NAMED);
    expect(taken.subject).toBe('All clear: late dose taken');
    const evidence = {
      pills_scheduled: 2,
      pills_taken: 1,
      part_taken_at: new Date('2026-03-01T08:05:00.000Z'),
    };
    const partly = composeMail(
      [{ delivery, message: message('partial', evidence) }],
      { time_zone: 'Asia/Kolkata' },
      NAMED,
    );
    expect(partly.subject).toBe('Only part of the dose was taken');
    expect(partly.text).toMatch(/1 of 2 pills were taken: .*13:35/);
  });

  it('says how weight and count differ, for someone to look', () => {
    const mismatch = message('raised', { number_of_pills: 23, difference_pills: -4.9 });
    mismatch.data.kind = 'count_mismatch';
    const { subject, text } = composeMail([{ delivery, message: mismatch }], { time_zone: 'UTC' }, NAMED);
    expect(subject).toBe('Weight and pill count differ');
    expect(text).toContain('By its count there are 23 pills in it, by its weight about 18.');
  });

  it('shows what users wrote as text, not as HTML', () => {
    const { html } = composeMail(
      [{ delivery, message: message('raised', {}, '<img src=x>') }],
      { time_zone: 'UTC' },
      NAMED,
    );
    expect(html).not.toMatch(/<script|<img src=x/);
  });

  it('has a button for each link in its HTML part, and the same words in the plain one', () => {
    const one = message('raised');
    one.data.statement_url = 'https://pills.example.org/a/x?y=1&z="2"';
    one.data.label = 'blue, kitchen';
    const stopUrl = 'https://pills.example.org/s/t';
    const mail = composeMail([{ delivery, message: one, stopUrl }], { time_zone: 'UTC' }, SETTINGS);
    expect(mail.text.split('\n')).toEqual([
      'Dose not taken yet',
      'Bottle b1 (blue, kitchen), will <script>.',
      'Due: Sunday, 1 March 2026 at 08:00:00 UTC.',
      'Noticed: Sunday, 1 March 2026 at 09:00:00 UTC.',
      'Taken, later or skipped? https://pills.example.org/a/x?y=1&z="2"',
      '',
      '-- ',
      'Questions? Call +49 30 123456',
      'Imprint: https://south.example.org/imprint',
      'Stop messages to this address: https://pills.example.org/s/t',
    ]);
    // yellow: the text on it is black
    expect(mail.html).toMatch(
      /<a href="https:\/\/pills\.example\.org\/a\/x\?y=1&#38;z=&#34;2&#34;"[^>]*background:#ffd500;color:#000000;[^>]*>Taken, later or skipped\?<\/a>/,
    );
    for (const text of [
      '<title>Dose not taken yet</title>',
      'Apotheke &#60;Süd&#62;',
      '<img src="https://south.example.org/logo.png?a=1&#38;b=2" alt=""',
      '>Bottle b1 (blue, kitchen), will &#60;script&#62;.<',
      '<a href="https://pills.example.org/s/t"',
    ])
      expect(mail.html).toContain(text);
    expect(mail.html).not.toContain('${');
    expect(mail.headers).toMatchObject({
      'List-Unsubscribe': '<https://pills.example.org/s/t>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('has no foot, and no header to stop messages, where there is nothing to say', () => {
    const plain = { MAIL_NAMES_MEDICATION: false, OPERATOR_NAME: 'Pillwatch', OPERATOR_COLOR: '#1f5fa8' };
    const mail = composeMail([{ delivery, message: message('raised') }], { time_zone: 'UTC' }, plain);
    expect(mail.text).not.toContain('-- ');
    expect(mail.html).not.toMatch(/class="foot"|<img|\$\{/);
    expect(mail.headers).not.toHaveProperty('List-Unsubscribe');
  });

  it('about nobody has both parts, too', () => {
    const lines = ['Open the page.', { ask: 'Confirm the address', url: 'https://pills.example.org/v/x' }];
    const { text, html } = composeNotice({ title: 'Please confirm', lines }, SETTINGS);
    expect(text).toContain('Open the page.\n\nConfirm the address: https://pills.example.org/v/x\n\n-- \n');
    expect(html).toMatch(/<a href="https:\/\/pills\.example\.org\/v\/x"[^>]*>Confirm the address<\/a>/);
  });
});
