import { encryptFor } from './encrypt.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

it('encrypts the example of RFC 8291, 5 and Appendix A', () => {
  const browser = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const encrypted = encryptFor(browser, 'When I grow up, I want to be a watermelon', {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    paddedBytes: 0,
  });
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('fills short messages up to one length, and each has another key', () => {
  const browser = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const [one, other] = ['late', 'a longer one, about something else'].map((text) =>
    encryptFor(browser, text),
  );
  expect(one!.length).toBe(other!.length);
  expect(one!.subarray(0, 86)).not.toEqual(other!.subarray(0, 86));
});

it('takes no key that is not on the curve', () => {
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  expect(() => encryptFor({ p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }, 'late')).toThrow(
    'Public key is not valid',
  );
});
