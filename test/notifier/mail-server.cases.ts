import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { eventually } from '../../tools/harness/eventually.js';
import { NotifierConfig } from '../../apps/notifier/src/config.js';
import { EmailChannel } from '../../apps/notifier/src/delivery/channels/email/email.channel.js';

/** A mail server of which only the beginning of a session matters. */
async function startServer(onLine: (line: string, socket: Socket) => void): Promise<{
  url: string;
  connections: Set<Socket>;
  stop: () => void;
}> {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket)).on('error', () => undefined);
    // the content of a mail comes in several parts
    let content: string | undefined;
    socket.on('data', (data) => {
      const text = (content ?? '') + data.toString();
      if (content !== undefined && !text.endsWith('\r\n.\r\n')) return void (content = text);
      content = text.startsWith('DATA') ? '' : undefined;
      onLine(text, socket);
    });
    socket.write('220 ready\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    stop: () => {
      for (const socket of connections) socket.destroy();
      server.close();
    },
  };
}

function channelTo(url: string): EmailChannel {
  return new EmailChannel(Object.assign(new NotifierConfig(), { SMTP_URL: url, SMTP_ALLOW_PLAIN: true }));
}

describe('whether the mail server answers', () => {
  it('it does when a session can begin', async () => {
    const server = await startServer((_line, socket) => socket.write('250 ok\r\n'));
    try {
      expect(await channelTo(server.url).answers(new AbortController().signal)).toBe(true);
      await eventually(() => expect(server.connections.size).toBe(0));
    } finally {
      server.stop();
    }
  });

  it.each([
    ['its user is refused', 'smtp://user:wrong@', '250-AUTH PLAIN\r\n250 ok\r\n', 'Invalid login'],
    ['it refuses the session', 'smtp://', '554 go away\r\n', '554 go away'],
  ])('it does not when %s', async (_what, login, greeting, error) => {
    const server = await startServer((line, socket) =>
      socket.write(/^(EHLO|HELO)/.test(line) ? greeting : '535 no\r\n'),
    );
    try {
      const channel = channelTo(server.url.replace('smtp://', login));
      await expect(channel.answers(new AbortController().signal)).rejects.toThrow(error);
      await eventually(() => expect(server.connections.size).toBe(0));
    } finally {
      server.stop();
    }
  });

  it('one that answers without end is left when the time is over: its connection is closed', async () => {
    const ended = new AbortController();
    const server = await startServer((line, socket) => {
      const timer = setInterval(() => socket.write('250-still at it\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
      if (line.startsWith('EHLO')) ended.abort();
    });
    try {
      await expect(channelTo(server.url).answers(ended.signal)).rejects.toThrow('aborted');
      await eventually(() => expect(server.connections.size).toBe(0));
    } finally {
      server.stop();
    }
  });
});

it.each([
  ['when its user has logged in', /^AUTH/, '235 welcome\r\n', true],
  ['at the sender', /^MAIL/, undefined, true],
  ['at the recipient', /^RCPT/, undefined, true],
  ['when it has the content', /\r\n\.\r\n$/, undefined, false],
])('a mail server that breaks the connection off %s', async (_when, line, last, unsent) => {
  const server = await startServer((data, socket) => {
    if (line.test(data)) socket.end(last ?? '');
    else if (data.startsWith('EHLO')) socket.write('250-AUTH PLAIN\r\n250 ok\r\n');
    else socket.write(data.startsWith('DATA') ? '354 go on\r\n' : '235 ok\r\n');
  });
  try {
    const channel = channelTo(server.url.replace('smtp://', 'smtp://user:right@'));
    const contact = { time_zone: 'UTC', email: 'anna@example.test', email_verified_at: new Date(0) };
    const sent = channel.sendTest('t1', contact, AbortSignal.timeout(5_000));
    await expect(sent).rejects.toMatchObject({ permanent: false, unsent });
    channel.onApplicationShutdown();
  } finally {
    server.stop();
  }
});

it.each([
  ['before the sender', /^AUTH/, true],
  ['at the sender', /^MAIL/, true],
  ['before it asks for the content', /^DATA/, true],
  ['with the content', /\r\n\.\r\n$/, false],
])('a mail server that hangs %s until the time is over', async (_when, line, unsent) => {
  const ended = new AbortController();
  const server = await startServer((data, socket) => {
    if (line.test(data)) ended.abort(new Error('no answer in time'));
    else if (data.startsWith('EHLO')) socket.write('250-AUTH PLAIN\r\n250 ok\r\n');
    else socket.write(data.startsWith('DATA') ? '354 go on\r\n' : '235 ok\r\n');
  });
  try {
    const channel = channelTo(server.url.replace('smtp://', 'smtp://user:right@'));
    const contact = { time_zone: 'UTC', email: 'anna@example.test', email_verified_at: new Date(0) };
    const sent = channel.sendTest('t1', contact, ended.signal);
    await expect(sent).rejects.toMatchObject({ permanent: false, unsent });
    channel.onApplicationShutdown();
  } finally {
    server.stop();
  }
});
