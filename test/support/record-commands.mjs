/**
 * Writes down what every service under test asks of the database, one line a shape, into the folder that
 * PILLWATCH_TEST_COMMANDS names; test/sharding reads it when all tests have run. Loaded before the services,
 * in jest (`setupFiles`) and in processes of their own (`--import`). The tests' own clients are left out: they
 * have not the services' application name.
 */
import mongoose from 'mongoose';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.PILLWATCH_TEST_COMMANDS;
const SERVICES = 'pillwatch';

/** Fields that the filter nails down: to one value, or to some; each branch of an `$or` to its own. */
function pinned(filter) {
  const branches = (filter.$or ?? []).map(pinned);
  const ofEach = (branches[0] ?? []).filter((field) => branches.every((branch) => branch.includes(field)));
  const own = Object.entries(filter)
    .filter(([field, value]) => !field.startsWith('$') && isValue(value))
    .map(([field]) => field);
  return [...new Set([...own, ...ofEach])].sort((one, other) => (one < other ? -1 : 1));
}

function isValue(value) {
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date)
    return true;
  const operators = Object.keys(value).filter((key) => key.startsWith('$'));
  return operators.length === 0 || operators.includes('$eq') || operators.includes('$in');
}

/** One entry for each statement of a command. `one` is a write that may change a single document only. */
function statements(name, command) {
  switch (name) {
    case 'find':
      return [{ filter: command.filter ?? {} }];
    case 'aggregate':
      return [
        { filter: command.pipeline[0]?.$match ?? {}, stage: Object.keys(command.pipeline[0] ?? {})[0] },
      ];
    case 'count':
    case 'distinct':
      return [{ filter: command.query ?? {} }];
    case 'findAndModify':
      return [{ filter: command.query ?? {}, one: true }];
    case 'update':
      return command.updates.map(({ q, multi }) => ({ filter: q, one: multi !== true }));
    case 'delete':
      return command.deletes.map(({ q, limit }) => ({ filter: q, one: limit === 1 }));
    case 'insert':
      return command.documents.map((document) => ({ filter: document, fields: [] }));
    default:
      return [];
  }
}

if (folder !== undefined) {
  const seen = new Set();
  const record = ({ commandName: command, command: sent }) => {
    const collection = sent[command];
    for (const { filter, one = false, stage, fields } of statements(command, sent)) {
      const shape = {
        collection,
        command,
        ...(stage && stage !== '$match' ? { stage } : {}),
        one,
        fields: fields ?? Object.keys(filter).sort(),
        pinned: command === 'insert' ? Object.keys(filter).sort() : pinned(filter),
      };
      const line = JSON.stringify(shape);
      if (seen.has(line)) continue;
      seen.add(line);
      appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
    }
  };
  const { MongoClient } = mongoose.mongo;
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the client below
  const connect = MongoClient.prototype.connect;
  MongoClient.prototype.connect = function recorded() {
    if (this.options.appName === SERVICES && !this.monitorCommands) {
      this.monitorCommands = true;
      this.on('commandStarted', record);
    }
    return connect.call(this);
  };
}
