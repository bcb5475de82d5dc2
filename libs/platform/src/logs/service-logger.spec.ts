import { jest } from '@jest/globals';
import { ServiceLogger } from './service-logger.js';

/** The messages of what is written as JSON. */
function messagesOf(write: (logger: ServiceLogger) => void): string[] {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    write(new ServiceLogger('', true));
    return stdout.mock.calls.map(([line]) => (JSON.parse(String(line)) as { message: string }).message);
  } finally {
    stdout.mockRestore();
  }
}

it("leaves out Nest's wiring, and neither what goes wrong in it nor the words of our own", () => {
  const messages = messagesOf((logger) => {
    for (const context of ['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory'])
      logger.log('wired', context);
    logger.error('cannot be wired', 'stack', 'InstanceLoader');
    logger.log('raised bottle_open', 'Alerts');
  });
  expect(messages).toEqual(['cannot be wired', 'raised bottle_open']);
});
