import mongoose, { type ClientSession, type Connection } from 'mongoose';
import type { AsyncLocalStorage } from 'node:async_hooks';

// every command of a model within `connection.transaction` belongs to the transaction
mongoose.set('transactionAsyncLocalStorage', true);

/** Does all of `work` or nothing; in the transaction that runs already, if one does. `work` may be repeated. */
export async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const { transactionAsyncLocalStorage: running } = connection.base as unknown as {
    transactionAsyncLocalStorage: AsyncLocalStorage<{ session: ClientSession }>;
  };
  if (running.getStore()) return work();
  return connection.transaction(work);
}
