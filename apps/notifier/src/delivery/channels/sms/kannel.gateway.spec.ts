import { KannelGateway } from './kannel.gateway.js';

const gateway = new KannelGateway('http://pills:secret@kannel:13013/cgi-bin/sendsms', 'Pillwatch');

it.each([
  [403, 'Number(s) has/have been denied by white- and/or black-lists.', true],
  [403, 'Not routable. Do not try again.', true],
  [403, 'Authorization failed for sendsms', false],
  [403, '<title>Access denied</title>', false],
  [503, 'Temporal failure, try again later.', false],
])('the answer %d %j is about the number: %s', (status, body, isRefused) => {
  const { refusal, permanent } = gateway.failureOf(status, body);
  expect([refusal !== undefined, permanent]).toEqual([isRefused, isRefused]);
});

it('is asked with each value escaped: a text cannot add a parameter', () => {
  const { url } = gateway.request({ to: '+4915100000001', text: 'a&to=+49&text=b c%41' });
  expect(url.searchParams.getAll('to')).toEqual(['+4915100000001']);
  expect(url.searchParams.getAll('text')).toEqual(['a&to=+49&text=b c%41']);
});
