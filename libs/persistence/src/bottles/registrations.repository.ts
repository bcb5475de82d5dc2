import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { inTransaction } from '../database/transaction.js';
import {
  BOTTLE_STATE,
  type BottleState,
  type StoredBottleState,
} from '../bottle-states/bottle-state.schema.js';
import { toStored } from '../bottle-states/phases.js';
import { Bottle } from './bottle.schema.js';

/** A bottle that is to be registered, and its state: reports only ever update it, so there is one from the start. */
export interface Registration {
  bottle: Bottle;
  state: BottleState;
}

/** New bottles: in the registry and in the present, or in neither. */
@Injectable()
export class RegistrationsRepository {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel(Bottle.name) private readonly bottles: Model<Bottle>,
    @InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>,
  ) {}

  /** All of them, or none, whatever fails in between. */
  async insertAll(registrations: Registration[]): Promise<void> {
    await inTransaction(this.connection, async () => {
      await this.states.insertMany(registrations.map(({ state }) => toStored(state)));
      await this.bottles.insertMany(registrations.map(({ bottle }) => bottle));
    });
  }
}
