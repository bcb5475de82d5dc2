import { compileCheck, RequestValidationPipe } from '#platform';
import { type Type, ValidationPipe } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { soakOr } from '../../../../test/support/in-soak.js';
import { BatchDto } from '../batch/batch.dto.js';
import { GatewayBatchDto, GatewayItemDto } from '../gateway/gateway-batch.dto.js';
import { ActionDto, HeartbeatDto } from './report.dto.js';
import { BodyGenerator } from './testing.js';

const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_260_302);
/** Of each; more than 100,000 in all in the soak tests. */
const PART = soakOr(1, 10);
const BODIES = [
  ['a heartbeat', HeartbeatDto, 35_000 / PART],
  ['an action', ActionDto, 50_000 / PART],
  ['a batch', BatchDto, 15_000 / PART],
  ["a gateway's batch", GatewayBatchDto, 10_000 / PART],
  ["a gateway's item", GatewayItemDto, 20_000 / PART],
] as const;

const SHOWN = 2_000;

// errors are thrown by the thousand and their stacks, which are expensive, are not read
Error.stackTraceLimit = 0;

const pipe = new RequestValidationPipe();

/** What Nest's own pipe makes of a body, with class-validator and class-transformer; undefined when it refuses it. */
async function slowly(type: Type<object>, body: unknown): Promise<unknown> {
  try {
    return await ValidationPipe.prototype.transform.call(pipe, body, { type: 'body', metatype: type });
  } catch {
    return undefined;
  }
}

it.each(BODIES)(
  'the compiled check of %s agrees with class-validator about every body (%p, %d bodies)',
  async (name, type, count) => {
    const check = compileCheck(type)!;
    const [generator, again] = [new BodyGenerator(SEED), new BodyGenerator(SEED)];
    const seen = { accepted: 0, refused: 0 };
    for (let index = 0; index < count; index += 1) {
      const body = generator.body(name);
      const text = JSON.stringify(body).slice(0, SHOWN);
      const expected = await slowly(type, again.body(name));
      const accepted = check(body);
      if (accepted !== (expected !== undefined)) throw new Error(`seed ${SEED}, ${name}: ${text}`);
      seen[accepted ? 'accepted' : 'refused'] += 1;
      if (!accepted) continue;
      const made = await pipe.transform(body, { type: 'body', metatype: type });
      if (!isDeepStrictEqual(made, expected)) throw new Error(`seed ${SEED}, ${name} differs: ${text}`);
      if (!isDeepStrictEqual({ ...(made as object) }, body))
        throw new Error(`seed ${SEED}, ${name} is another: ${text}`);
    }
    // of each kind there were enough
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(count / 5);
  },
  120_000 / PART,
);
