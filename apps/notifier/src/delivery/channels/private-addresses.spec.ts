import { type LookupAddress } from 'node:dns';
import {
  isPrivateAddress,
  PrivateAddressError,
  publicOnlyLookup,
  refusePrivateLiteral,
} from './private-addresses.js';

describe('isPrivateAddress', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '::FFFF:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:1',
    '::7f00:1',
    '::10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '64:ff9b:1:ffff::a00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '3fff::1',
    '5f00::1',
    'fec0::1',
    '192.0.2.1',
    '192.88.99.1',
    '198.51.100.1',
    '203.0.113.1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'febf::1',
    'ff02::1',
  ])('%s is', (address) => expect(isPrivateAddress(address)).toBe(true));

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2001:200::1',
    '64:ff9a::1',
    '64:ff9b:2::1',
    '2003::1',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
  ])('%s is not', (address) => expect(isPrivateAddress(address)).toBe(false));
});

describe('refusePrivateLiteral', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]'])('refuses %s', (hostname) =>
    expect(() => refusePrivateLiteral(hostname)).toThrow(PrivateAddressError),
  );

  it.each(['8.8.8.8', '[2001:4860:4860::8888]', 'example.org', 'localhost'])(
    'leaves %s to others',
    (hostname) => expect(() => refusePrivateLiteral(hostname)).not.toThrow(),
  );
});

describe('publicOnlyLookup', () => {
  const resolveName = (hostname: string, all: boolean): Promise<string | LookupAddress[]> =>
    new Promise((resolve, reject) => {
      publicOnlyLookup(hostname, { all }, (error, found) => (error ? reject(error) : resolve(found)));
    });

  it.each([true, false])('refuses a name of this machine (all: %s)', (all) =>
    expect(resolveName('localhost', all)).rejects.toThrow(PrivateAddressError),
  );

  it('hands on what is public, in the form asked for', async () => {
    expect(await resolveName('8.8.8.8', false)).toBe('8.8.8.8');
    expect(await resolveName('8.8.8.8', true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('hands on that a name is not known', () =>
    expect(resolveName('no-such-host.invalid', true)).rejects.toMatchObject({ syscall: 'getaddrinfo' }));
});
