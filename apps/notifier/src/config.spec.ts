import { loadConfig } from '#platform';
import { NotifierConfig } from './config.js';

describe('SMTP_URL', () => {
  const load = (SMTP_URL: string) =>
    loadConfig(NotifierConfig, { MONGODB_URI: 'mongodb://127.0.0.1/pillwatch', SMTP_URL });

  it.each(['smtp://mail.example.org:587', 'smtps://carol%40example.org:p%3Fw@mail.example.org'])(
    'is %s',
    (url) => expect(load(url).SMTP_URL).toBe(url),
  );

  it.each(['?tls.rejectUnauthorized=false', '?secure=false', '/?ignoreTLS=true', '#?ignoreTLS=true'])(
    'takes no parameters, some of which switch the checks of TLS off: %s',
    (parameters) => {
      const message = 'SMTP_URL must start with smtp:// or smtps://, without parameters';
      expect(() => load(`smtps://mail.example.org${parameters}`)).toThrow(message);
    },
  );
});

describe('OPERATOR_LOGO_URL', () => {
  const load = (OPERATOR_LOGO_URL: string) =>
    loadConfig(NotifierConfig, { MONGODB_URI: 'mongodb://127.0.0.1/pillwatch', OPERATOR_LOGO_URL });

  it('is an address', () => {
    const url = 'https://south.example.org/l(2)/logo.png?a=1&b=2';
    expect(load(url).OPERATOR_LOGO_URL).toBe(url);
  });

  it.each([
    'http://a.example/',
    "https://a.example/'",
    'https://a.example/;',
    'https://a.example/\u00fc.png',
  ])('can stand in a header: not %s', (url) =>
    expect(() => load(url)).toThrow('OPERATOR_LOGO_URL must start with https://'),
  );
});

describe('SMS_FROM', () => {
  const load = (given: object) =>
    loadConfig(NotifierConfig, {
      MONGODB_URI: 'mongodb://127.0.0.1/pillwatch',
      SMS_URL: 'https://AC1:token@api.twilio.com',
      ...given,
    });

  it('is needed with Twilio, and only with it', () => {
    const message = 'SMS_FROM must be a number or a name; with SMS_GATEWAY=twilio, it is needed';
    expect(() => load({ SMS_GATEWAY: 'twilio' })).toThrow(message);
    expect(load({ SMS_GATEWAY: 'twilio', SMS_FROM: '+4930123456' }).SMS_FROM).toBe('+4930123456');
    expect(load({ SMS_GATEWAY: 'kannel' }).SMS_FROM).toBeUndefined();
    expect(() => load({ SMS_FROM: 'a name that is too long' })).toThrow(message);
  });
});
