import type { AddressInfo } from 'node:net';
import { Devices, NOW } from '../device-api/devices.js';
import { buildC, buildPython, type Client } from './build.js';
import { CuttingProxy } from './cutting-proxy.js';
import { differences, seeded, sendThroughFaults } from './exactly-once.js';
import { SimulatedBottle } from './simulated-bottle.js';

/** Runs until the fault must have shown itself. */
const RUNS = 6;
const ACTIONS = 60;

/** Clients without one of the things that they are careful about. */
const FAULTS: [what: string, build: () => Client][] = [
  [
    'C without checksums',
    () =>
      buildC({
        file: 'queue.c',
        from: 'return checksum == crc32(slot, CHECKSUM);',
        to: 'return checksum == crc32(slot, CHECKSUM) || memcmp(slot, "\\xff\\xff\\xff\\xff", 4) != 0;',
      }),
  ],
  [
    'C that forgets an action without a response',
    () =>
      buildC({
        file: 'client.c',
        from: 'if (is_temporary(answer->status)) {',
        to: 'if (is_temporary(answer->status)) {\n    for (uint32_t i = 0; i < count; i++) pw_queue_done(&c->queue, c->slots[i]);',
      }),
  ],
  [
    'C that takes a 200 for the status of all items',
    () =>
      buildC({
        file: 'client.c',
        from: 'i < answer->items ? answer->item_status[i] : 0;',
        to: 'answer->status;',
      }),
  ],
  [
    'C that counts its events anew after power-on',
    () =>
      buildC({
        file: 'queue.c',
        from: 'record->event = record->seq;',
        to: '{\n    static uint32_t events;\n    record->event = ++events;\n  }',
      }),
  ],
  [
    'MicroPython without checksums',
    () =>
      buildPython('micropython', {
        file: 'flash_queue.py',
        from: 'if line[-1:] != b"\\n" or int(line[:8], 16) != crc32(line[9:-1]):',
        to: 'if False:',
      }),
  ],
  [
    'MicroPython that forgets an action without a response',
    () =>
      buildPython('micropython', {
        file: 'pillwatch.py',
        from: '        if is_temporary(status):\n',
        to: '        if is_temporary(status):\n            for action in actions:\n                self.queue.done(action)\n',
      }),
  ],
];

/** The unchanged clients pass the same runs: clients.soak.ts. */
describe('the runs find a client that loses or repeats', () => {
  let devices: Devices;
  let proxy: CuttingProxy;

  beforeAll(async () => {
    devices = await Devices.start('client-faults');
    proxy = await CuttingProxy.start(
      (devices.app.getHttpServer().address() as AddressInfo).port,
      devices.clock,
    );
  });
  afterAll(async () => {
    await proxy?.stop();
    await devices?.stop();
  });

  it.each(FAULTS)('%s', async (_what, build) => {
    const client = build();
    const found: string[] = [];
    for (let run = 1; run <= RUNS && found.length === 0; run += 1) {
      devices.clock.set(NOW);
      const registered = await devices.register();
      const bottle = new SimulatedBottle(client, devices.clock, proxy.port, registered.token);
      try {
        await sendThroughFaults(devices, bottle, proxy, ACTIONS, seeded(run));
        found.push(...differences(bottle, await devices.actions(registered)));
      } catch (error) {
        // it does not start again, or never empties its queue
        found.push(String(error));
      } finally {
        await bottle.stop();
      }
    }
    expect(found).not.toEqual([]);
  });
});
