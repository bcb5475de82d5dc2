import { kannelReceipt, twilioReceipt } from './sms-receipts.js';
import { doseReply, MOST_SEGMENTS, smsCommand, smsEncoding, smsSegments } from './sms.js';
import { smsText } from './sms-text.js';

describe('the encoding of an SMS', () => {
  it.each([
    ['Dose late: Größe, ñ, à, é, Ω, €, [x]', 'gsm7'],
    ['Zażyj tabletkę', 'ucs2'],
    ['naïve', 'ucs2'],
    ['💊', 'ucs2'],
    ['', 'gsm7'],
  ])('of %j is %s', (text, encoding) => expect(smsEncoding(text)).toBe(encoding));
});

describe('the segments of an SMS', () => {
  it.each([
    [160, 'a', 1],
    [161, 'a', 2],
    [306, 'a', 2],
    [307, 'a', 3],
    [80, '€', 1],
    [81, '€', 2],
    // 153 units hold 76 of them: an escape is not parted from its character
    [152, '€', 2],
    [153, '€', 3],
    [70, 'ż', 1],
    [71, 'ż', 2],
    [134, 'ż', 2],
    [135, 'ż', 3],
    [35, '💊', 1],
    [36, '💊', 2],
    // 67 units hold 33 of them: a pair of surrogates is not parted
    [66, '💊', 2],
    [67, '💊', 3],
  ])('of %d times %s are %d', (count, character, segments) =>
    expect(smsSegments(character.repeat(count))).toBe(segments),
  );
});

describe('a reply by SMS', () => {
  it.each([
    ['STOP', 'stop'],
    [' stop. ', 'stop'],
    ['Stopp', 'stop'],
    ['Start', 'start'],
    ['hilfe', 'help'],
    ['HELP!', 'help'],
    ['please do not stop', undefined],
    ['1', undefined],
    ['', undefined],
  ])('%j is the command %s', (text, command) => expect(smsCommand(text)).toBe(command));
});

describe('a digit by SMS', () => {
  it.each([
    ['1', 'taken'],
    [' 2. ', 'later'],
    ['3!', 'skipped'],
    ['4', 'help'],
    ['5', undefined],
    ['11', undefined],
    ['1 or 2', undefined],
    ['toString', undefined],
    ['', undefined],
  ])('%j says %s', (text, reply) => expect(doseReply(text)).toBe(reply));
});

describe('the text of an SMS', () => {
  const link = (length: number): string => `Taken? https://pills.example/a/${'x'.repeat(length)}`;

  it('has all lines if they fit', () => {
    const lines = ['Bottle 12ab34, anna.', 'Due: Monday.', link(80)];
    expect(smsText({ title: 'Dose late', lines })).toBe(['Dose late', ...lines].join('\n'));
  });

  it('leaves out details from the last one on before the name of the bottle or the link', () => {
    const details = Array.from({ length: 5 }, (_, index) => `${index} ${'detail '.repeat(20)}`.trim());
    const text = smsText({ title: 'Dose late', lines: ['Bottle 12ab34, anna.', ...details, link(200)] });
    expect(smsSegments(text)).toBeLessThanOrEqual(MOST_SEGMENTS);
    expect(text.split('\n')).toEqual([
      'Dose late',
      'Bottle 12ab34, anna.',
      ...details.slice(0, 2),
      link(200),
      '...',
    ]);
  });

  it('is cut between words if the name of the bottle is too long, and keeps the link', () => {
    const name = `Bottle 12ab34, ${'very-long-name '.repeat(60)}`;
    const text = smsText({ title: 'Dose late', lines: [name, link(150)] });
    expect(smsSegments(text)).toBe(MOST_SEGMENTS);
    expect(text).toMatch(/very-long-name \.\.\.\nTaken\? https:\/\/pills\.example\/a\/x{150}$/);
  });

  it.each([
    ['💊', 'a word of pairs of surrogates'],
    ['ż', 'a word of UCS-2'],
    ['€', 'a word of escapes'],
  ])('never cuts inside %s: %s', (character) => {
    for (const length of [1, 60, 130, 133, 134, 270, 2_000]) {
      const text = smsText({ title: 'Dose late', lines: [`Bottle ${character.repeat(length)}`, link(20)] });
      expect(smsSegments(text)).toBeLessThanOrEqual(MOST_SEGMENTS);
      expect(text).not.toMatch(/\p{Cs}/u);
      expect(text.endsWith(link(20))).toBe(true);
    }
  });

  it('shows as many doses as fit, each with its link, and says that there are more', () => {
    const doses = Array.from({ length: 9 }, (_, index) => [`Bottle ${index}, anna.`, link(100 + index)]);
    const text = smsText({ title: 'Doses', lines: ['Between 8:00 and 9:00.', ...doses.flat()] });
    expect(text.split('\n')).toEqual(['Doses', 'Between 8:00 and 9:00.', ...doses.slice(0, 3).flat(), '...']);
  });

  it('goes without a link for which there is no room', () =>
    expect(smsText({ title: 'Doses', lines: ['Bottle 1.', link(700)] })).toBe('Doses\nBottle 1.'));
});

describe('a receipt', () => {
  it.each([
    ['1', 'stat:DELIVRD', 'delivered'],
    ['2', 'id:1 sub:001 dlvrd:000 stat:UNDELIV err:001', 'refused'],
    ['2', 'stat:EXPIRED', 'failed'],
    ['4', '', undefined],
    ['8', 'ACK/', 'accepted'],
    ['16', 'NACK/0x0000000b/Invalid Destination Address', 'refused'],
    ['16', 'NACK/0x00000058/Throttling error', 'failed'],
    ['16', '', 'refused'],
    ['', '', undefined],
  ])('of Kannel, %s %j, is %s', (type, reply, state) => expect(kannelReceipt(type, reply)).toBe(state));

  it.each([
    ['delivered', undefined, 'delivered'],
    ['sent', undefined, 'accepted'],
    ['queued', undefined, undefined],
    ['undelivered', '30003', 'failed'],
    ['undelivered', '30005', 'refused'],
    ['failed', '30006', 'refused'],
    ['failed', undefined, 'failed'],
  ])('of Twilio, %s %j, is %s', (status, code, state) => expect(twilioReceipt(status, code)).toBe(state));
});
