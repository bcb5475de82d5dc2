import { PersistenceModule } from '#persistence';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';

type Command = mongo.Document;

/** Added by the driver; an explained command may not carry them. */
const DRIVERS_OWN = ['lsid', '$db', '$clusterTime', '$readPreference', 'txnNumber'];

/** The persistence library alone, as the apps import it, with the commands that it really sends. */
export class Persistence {
  private constructor(private readonly context: INestApplicationContext) {}

  static async open(uri: string, heartbeatRetention = 1_209_600_000): Promise<Persistence> {
    const watched = new URL(uri);
    watched.searchParams.set('monitorCommands', 'true');
    const module = PersistenceModule.forRoot(watched.toString(), { heartbeatRetention });
    return new Persistence(
      await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false }),
    );
  }

  get<T>(type: Type<T>): T {
    return this.context.get(type);
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /** Runs a repository method and gives back its result and the commands of one name that it sent. */
  async capture<T>(name: string, run: () => Promise<T>): Promise<{ result: T; commands: Command[] }> {
    const commands: Command[] = [];
    const listen = (event: mongo.CommandStartedEvent): void => {
      if (event.commandName === name) commands.push(event.command);
    };
    const client = this.context.get<Connection>(getConnectionToken()).getClient();
    client.on('commandStarted', listen);
    const result = await run();
    client.off('commandStarted', listen);
    return { result, commands };
  }
}

/** What the database did for a command. */
export interface Explained {
  /** From the top of the plan to its leaf, without LIMIT. */
  stages: string[];
  indexName: string;
  returned: number;
  docsExamined: number;
  keysExamined: number;
}

/** Explains a command exactly as it was sent. */
export async function explain(db: mongo.Db, command: Command): Promise<Explained> {
  const sent = Object.fromEntries(Object.entries(command).filter(([key]) => !DRIVERS_OWN.includes(key)));
  const explained = await db.command({ explain: sent, verbosity: 'executionStats' });
  // an aggregation reads through a cursor, unless the whole of it is one plan
  const { queryPlanner, executionStats } = explained['queryPlanner']
    ? explained
    : explained['stages'][0].$cursor;
  const plan: mongo.Document[] = [];
  // newer plans stand one level deeper
  let stage: mongo.Document | undefined = queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan;
  for (; stage; stage = stage['inputStage']) plan.push(stage);
  return {
    stages: plan.map((one) => one['stage'] as string).filter((name) => name !== 'LIMIT'),
    indexName: plan.at(-1)!['indexName'] as string,
    returned: executionStats.nReturned,
    docsExamined: executionStats.totalDocsExamined,
    keysExamined: executionStats.totalKeysExamined,
  };
}
