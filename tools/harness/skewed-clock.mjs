/**
 * Gives a service process a wrong clock. The file that PILLWATCH_TEST_CLOCK names holds by how many milliseconds; it is
 * read several times a second, so that a test can let the clock jump. Loaded before the service (`--import`). Timers
 * and `performance.now()` stay as they are, as they do on a machine whose clock is set.
 */
import { readFileSync } from 'node:fs';

const file = process.env.PILLWATCH_TEST_CLOCK;
const READ_EVERY_MS = 50;
const RealDate = Date;
let skew = read();

function read() {
  return Number(readFileSync(file, 'utf8'));
}

class SkewedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(SkewedDate.now());
    else super(...given);
  }

  static now() {
    return RealDate.now() + skew;
  }
}

// Mongoose knows a date by its class's name
Object.defineProperty(SkewedDate, 'name', { value: 'Date' });
globalThis.Date = SkewedDate;
setInterval(() => (skew = read()), READ_EVERY_MS).unref();
