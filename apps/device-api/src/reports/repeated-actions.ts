import { isOneEvent, reusedActionIds } from '#domain';
import { type BottleAction, BottleActionsRepository, type InsertFailure } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';

/** The logged actions, by id in hex. */
type Logged = Map<string, BottleAction>;

/**
 * Decides what actions are whose ids are in the log: a retry of the logged one, or another event, because the device
 * counts its event ids again. Only such actions cost a read, and only those of the second kind another write.
 */
@Injectable()
export class RepeatedActions {
  constructor(private readonly actions: BottleActionsRepository) {}

  /**
   * Logs those that are other events, under ids of their own, and removes them from `failures`.
   *
   * @param failures of the insertion; each action that is a duplicate gets the id under which it is logged
   * @returns the logged action of each duplicate, by its id in hex
   */
  async settle(failures: Map<BottleAction, InsertFailure>): Promise<Logged> {
    const repeated = [...failures].flatMap(([action, failure]) => (failure === 'duplicate' ? action : []));
    const logged = await this.find(repeated);
    const reused = repeated.filter((action) => {
      const known = logged.get(action._id.toHexString());
      return action.event_id !== undefined && known && !isOneEvent(known, action);
    });
    if (reused.length === 0) return logged;
    for (const [id, action] of await this.logReused(reused, failures)) logged.set(id, action);
    return logged;
  }

  private async logReused(
    reused: readonly BottleAction[],
    failures: Map<BottleAction, InsertFailure>,
  ): Promise<Logged> {
    const withIds = reused.map((action) => ({
      action,
      ids: reusedActionIds(action.bottle_id.toHexString(), action.event_id!, action),
    }));
    const copies = await this.find(
      withIds.flatMap(({ action: { bottle_id }, ids }) =>
        ids.possible.map((id) => ({ _id: new Types.ObjectId(id), bottle_id })),
      ),
    );
    const others = withIds.filter(({ action, ids }) => {
      const copy = ids.possible.flatMap((id) => copies.get(id) ?? []).find((one) => isOneEvent(one, action));
      action._id = copy?._id ?? new Types.ObjectId(ids.own);
      return !copy;
    });
    for (const { action } of others) failures.delete(action);
    const refused = await this.actions.insert(others.map(({ action }) => action));
    for (const [action, failure] of refused) failures.set(action, failure);
    // a copy of this very event came at the same time
    const meanwhile = [...refused].flatMap(([action, failure]) => (failure === 'duplicate' ? action : []));
    for (const [id, action] of await this.find(meanwhile)) copies.set(id, action);
    return copies;
  }

  private async find(actions: Pick<BottleAction, '_id' | 'bottle_id'>[]): Promise<Logged> {
    if (actions.length === 0) return new Map();
    const found = await this.actions.findLogged(actions);
    return new Map(found.map((action) => [action._id.toHexString(), action]));
  }
}
