import { decodeFile } from './decode-file.js';

const bytesOf = (...bytes: number[]): ArrayBuffer => new Uint8Array(bytes).buffer;

it.each([
  ['UTF-8', new TextEncoder().encode('Müller, Milić').buffer, 'Müller, Milić', false],
  [
    'UTF-8 that begins with its byte order mark',
    new TextEncoder().encode('\uFEFFMüller').buffer,
    'Müller',
    false,
  ],
  ['UTF-16', bytesOf(0xff, 0xfe, 0x4d, 0, 0xfc, 0), 'Mü', false],
  ['Windows-1252', bytesOf(0x4d, 0xfc, 0x6c, 0xe9), 'Mülé', true],
])('reads %s', (_what, bytes, text, isWindows1252) =>
  expect(decodeFile(bytes)).toEqual({ text, isWindows1252 }),
);
