import { execFileSync } from 'node:child_process';
import { createECDH, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { encryptFor } from '../../apps/notifier/src/delivery/channels/push/encrypt.js';
import { vapidHeader } from '../../apps/notifier/src/delivery/channels/push/vapid.js';
import { pushKeyOf } from '../../libs/platform/src/index.js';
import { pythonTools } from '../../tools/contract/toolbox.js';

/** What a browser and its push service do, by programs that share no code with ours: http_ece and py_vapid of PyPI. */
const READ = `
import base64, json, sys
from cryptography.hazmat.primitives.asymmetric import ec
from http_ece import decrypt
from py_vapid import Vapid02

def raw(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))

shown = []
for one in json.load(sys.stdin):
    key = ec.derive_private_key(int.from_bytes(raw(one['private']), 'big'), ec.SECP256R1())
    text = decrypt(raw(one['body']), private_key=key, auth_secret=raw(one['auth']), version='aes128gcm')
    shown.append({'text': text.decode(), 'isSigned': Vapid02.verify(auth=one['header'])})
print(json.dumps(shown))
`;

describe('what is sent to a browser', () => {
  const key = pushKeyOf('a-key-of-push-of-at-least-32-characters');
  const now = new Date();
  const endpoint = new URL('https://push.example.net/send/1');
  const texts = [
    '{"title":"Dose missed"}',
    'Einnahme versäumt – 薬',
    '',
    'x'.repeat(1_023),
    'x'.repeat(3_900),
  ];

  function read(sent: object[]): { text: string; isSigned: boolean }[] {
    return JSON.parse(
      execFileSync(join(tools, 'python3'), ['-c', READ], { input: JSON.stringify(sent) }).toString(),
    );
  }
  let tools: string;
  beforeAll(async () => {
    tools = await pythonTools('push.txt');
  });

  it('is decrypted by http_ece, and its signature verified by py_vapid', () => {
    const sent = texts.map((text) => {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys().toString('base64url');
      const auth = randomBytes(16).toString('base64url');
      return {
        body: encryptFor({ p256dh, auth }, text).toString('base64url'),
        private: ecdh.getPrivateKey().toString('base64url'),
        auth,
        header: vapidHeader(key, endpoint, 'https://pills.example.org', now),
      };
    });
    expect(read(sent)).toEqual(texts.map((text) => ({ text, isSigned: true })));
    const [one] = sent;
    const broken = one!.header.replace(/.{4},k=/, 'AAAA,k=');
    expect(read([{ ...one, header: broken }])).toEqual([{ text: texts[0], isSigned: false }]);
  });
});
