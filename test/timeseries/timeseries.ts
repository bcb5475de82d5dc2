import { MINUTE_MS } from '#domain';
import {
  type BottleAction,
  BottleActionsRepository,
  type BottleHeartbeat,
  BottleHeartbeatsRepository,
  PersistenceModule,
} from '#persistence';
import { Clock, type ManualClock } from '#platform';
import { ReportRollUp, TimeseriesModule } from '#timeseries';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo, Types } from 'mongoose';

const OWNER = { user_id: 'willcross1024', medication: 'Cordrazine' };

/** A report as the log has it, and the zone of its bottle. */
export type Report =
  | { kind: 'heartbeat'; document: BottleHeartbeat }
  | { kind: 'action'; document: BottleAction; time_zone: string };

/** The library alone, as the apps put it together, with the commands that it really sends. */
export class Timeseries {
  private constructor(
    private readonly context: INestApplicationContext,
    private readonly clock: ManualClock,
  ) {}

  static async open(uri: string, clock: ManualClock): Promise<Timeseries> {
    const watched = new URL(uri);
    watched.searchParams.set('monitorCommands', 'true');
    class TestModule {}
    const module = {
      module: TestModule,
      imports: [
        PersistenceModule.forRoot(watched.toString(), { heartbeatRetention: 1_209_600_000 }),
        TimeseriesModule,
      ],
      providers: [{ provide: Clock, useValue: clock }],
    };
    return new Timeseries(
      await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false }),
      clock,
    );
  }

  get<T>(type: Type<T>): T {
    return this.context.get(type, { strict: false });
  }

  get connection(): Connection {
    return this.context.get<Connection>(getConnectionToken(), { strict: false });
  }

  /** Puts reports into the log, and their bottles into the registry. */
  async receive(...reports: Report[]): Promise<void> {
    for (const report of reports) {
      const time_zone = report.kind === 'action' ? report.time_zone : 'UTC';
      const { bottle_id, ...owner } = { ...OWNER, bottle_id: report.document.bottle_id };
      await this.connection.collection('bottles').updateOne(
        { _id: bottle_id },
        {
          $setOnInsert: {
            ...owner,
            time_zone,
            token_hash: bottle_id.toHexString(),
            schedule_versions: [],
            pauses: [],
          },
        },
        { upsert: true },
      );
      if (report.kind === 'heartbeat') await this.get(BottleHeartbeatsRepository).insert([report.document]);
      else await this.get(BottleActionsRepository).insert([report.document]);
    }
  }

  /** The counts follow the log, as if the present minute were over. @returns how many minutes were added. */
  follow(): Promise<number> {
    return this.get(ReportRollUp).run({ now: () => new Date(this.clock.now().getTime() + 2 * MINUTE_MS) });
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /** Runs something and gives back its result and the commands that it sent. */
  async capture<T>(run: () => Promise<T>): Promise<{ result: T; commands: mongo.CommandStartedEvent[] }> {
    const commands: mongo.CommandStartedEvent[] = [];
    const listen = (event: mongo.CommandStartedEvent): void => void commands.push(event);
    const client = this.connection.getClient();
    client.on('commandStarted', listen);
    try {
      return { result: await run(), commands };
    } finally {
      client.off('commandStarted', listen);
    }
  }
}

/** A heartbeat as the log has it. */
export function heartbeat(time: Date, fields: Partial<BottleHeartbeat> = {}): Report {
  return {
    kind: 'heartbeat',
    document: { _id: new Types.ObjectId(), bottle_id: new Types.ObjectId(), ...OWNER, time, ...fields },
  };
}

/** An action as the log has it; received when it happened, unless given. */
export function action(
  time: Date,
  fields: Partial<BottleAction> & Pick<BottleAction, 'action'>,
  time_zone = 'Europe/Berlin',
): Report {
  return {
    kind: 'action',
    time_zone,
    document: {
      _id: new Types.ObjectId(),
      bottle_id: new Types.ObjectId(),
      ...OWNER,
      mass_of_contents: 44.25,
      number_of_pills: 25,
      received_at: time,
      time,
      ...fields,
    },
  };
}
