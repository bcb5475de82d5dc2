import type { Message, NotificationEvent } from '#domain';
import type { Delivery } from '#persistence';
import { Types } from 'mongoose';
import { composeMail } from './mail.js';

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
  it('names its alerts, events and bottles to programs, in one order', () => {
    const one = { delivery, message: message('raised') };
    const other = {
      delivery: { ...delivery, _id: 'd2', event: 'missed' } as Delivery,
      message: message('missed'),
    };
    const bottle = delivery.bottle_id.toHexString();
    const alert = delivery.alert_id.toHexString();
    expect(composeMail([one, other], 'UTC', true).headers).toEqual({
      'X-Pillwatch-Delivery': 'd1, d2',
      'X-Pillwatch-Alert': `${alert}, ${alert}`,
      'X-Pillwatch-Kind': 'missed_dose, missed_dose',
      'X-Pillwatch-Event': 'raised, missed',
      'X-Pillwatch-Bottle': `${bottle}, ${bottle}`,
    });
  });

  it("gives times in the recipient's zone, with the zone's name", () => {
    const { text } = composeMail([{ delivery, message: message('raised') }], 'Asia/Kolkata', true);
    expect(text).toContain('13:30');
    expect(text).toMatch(/GMT\+5:30|IST/);
  });

  it('names the medication in its body if it may, and never in its subject', () => {
    const mail = composeMail([{ delivery, message: message('raised') }], 'UTC', true);
    expect(mail.text).toContain('Cordrazine');
    expect(mail.subject).toBe('Dose not taken yet');
    const { text, html } = composeMail([{ delivery, message: message('raised') }], 'UTC', false);
    expect(text + html).not.toContain('Cordrazine');
  });

  it('says what was really taken', () => {
    const taken = composeMail([{ delivery, message: message('resolved') }], 'UTC', true);
    expect(taken.subject).toBe('All clear: late dose taken');
    const evidence = {
      pills_scheduled: 2,
      pills_taken: 1,
      part_taken_at: new Date('2026-03-01T08:05:00.000Z'),
    };
    const partly = composeMail([{ delivery, message: message('partial', evidence) }], 'Asia/Kolkata', true);
    expect(partly.subject).toBe('Only part of the dose was taken');
    expect(partly.text).toMatch(/1 of 2 pills were taken: .*13:35/);
  });

  it('says how weight and count differ, for someone to look', () => {
    const mismatch = message('raised', { number_of_pills: 23, difference_pills: -4.9 });
    mismatch.data.kind = 'count_mismatch';
    const { subject, text } = composeMail([{ delivery, message: mismatch }], 'UTC', true);
    expect(subject).toBe('Weight and pill count differ');
    expect(text).toContain('By its count there are 23 pills in it, by its weight about 18.');
  });

  it('shows what users wrote as text, not as HTML', () => {
    const { html } = composeMail([{ delivery, message: message('raised', {}, '<img src=x>') }], 'UTC', true);
    expect(html).not.toMatch(/<script|<img/);
  });
});
