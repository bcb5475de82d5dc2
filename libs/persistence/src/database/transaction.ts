import mongoose, { type Connection } from 'mongoose';
import { AsyncLocalStorage } from 'node:async_hooks';

// every command of a model within `connection.transaction` belongs to the transaction
mongoose.set('transactionAsyncLocalStorage', true);

/** The connection whose transaction the current call belongs to. */
const running = new AsyncLocalStorage<Connection>();

/** Does all of `work` or nothing; in the transaction that runs already, if one does. `work` may be repeated. */
export async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  if (running.getStore() === connection) return work();
  return connection.transaction(() => running.run(connection, work));
}
