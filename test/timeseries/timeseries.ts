import { type BottleAction, type BottleHeartbeat, PersistenceModule } from '#persistence';
import { Clock, type ManualClock } from '#platform';
import { ActivityRecorder, type CountedReport, TimeseriesModule } from '#timeseries';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo, Types } from 'mongoose';

const OWNER = { user_id: 'willcross1024', medication: 'Cordrazine' };

/** The library alone, as the apps put it together, with the commands that it really sends. */
export class Timeseries {
  private constructor(private readonly context: INestApplicationContext) {}

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
      providers: [{ provide: Clock, useValue: clock }, ActivityRecorder],
    };
    return new Timeseries(
      await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false }),
    );
  }

  get<T>(type: Type<T>): T {
    return this.context.get(type, { strict: false });
  }

  get recorder(): ActivityRecorder {
    return this.get(ActivityRecorder);
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /** As kill -9: nothing is finished, and its connections are gone. */
  async kill(): Promise<void> {
    await this.context.get<Connection>(getConnectionToken(), { strict: false }).close(true);
  }

  /** Runs something and gives back its result and the commands that it sent. */
  async capture<T>(run: () => Promise<T>): Promise<{ result: T; commands: mongo.CommandStartedEvent[] }> {
    const commands: mongo.CommandStartedEvent[] = [];
    const listen = (event: mongo.CommandStartedEvent): void => void commands.push(event);
    const client = this.context.get<Connection>(getConnectionToken(), { strict: false }).getClient();
    client.on('commandStarted', listen);
    try {
      return { result: await run(), commands };
    } finally {
      client.off('commandStarted', listen);
    }
  }
}

/** A heartbeat as the log has it. */
export function heartbeat(time: Date, said: Partial<BottleHeartbeat> = {}): CountedReport {
  return {
    kind: 'heartbeat',
    document: { _id: new Types.ObjectId(), bottle_id: new Types.ObjectId(), ...OWNER, time, ...said },
  };
}

/** An action as the log has it. */
export function action(
  time: Date,
  said: Partial<BottleAction> & Pick<BottleAction, 'action'>,
  time_zone = 'Europe/Berlin',
): CountedReport {
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
      ...said,
    },
  };
}
