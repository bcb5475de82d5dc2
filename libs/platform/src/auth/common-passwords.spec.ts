import { isCommonPassword } from './common-passwords.js';

it.each([
  'P@ssw0rd!2024',
  'Password1234',
  'passwordpassword',
  'iloveyou123456',
  'qwertyuiop12',
  'qwerty123456',
  'qazwsxedcrfv',
  '123456789012',
  '987654321000',
  'Sunshine-Monkey1',
  'Summer2026!!',
  'welcome-pillwatch',
  'Administrator1',
  'abcdefghijkl',
  'letmeinletmein!',
  '!!!Liverpool2005',
  'unbelievable',
  'chickenwing101',
  'gfhjkmgfhjkm',
  'Supernatural2026',
])('%s is common', (password) => expect(isCommonPassword(password)).toBe(true));

it.each([
  'correct horse battery',
  'correct horse battery staple',
  'a rather long new secret',
  'another horse, my own',
  'crème brûlée 77',
  '4f9k-t2mx-qq8z',
  'the cat sat on a wall',
  'Sommerregen am Dienstag',
  '820461739550',
  'пароль из семи слов',
  'xkcdtrombone',
])('%s is not', (password) => expect(isCommonPassword(password)).toBe(false));
