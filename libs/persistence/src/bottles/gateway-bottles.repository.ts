import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Bottle } from './bottle.schema.js';
import { type DeviceIdentity, OF_DEVICE } from './bottles.repository.js';
import { IDENTITY_CHANGED } from './changed-bottles.repository.js';

/** A bottle, and who may report for it. */
export interface GatewayBottle {
  device: DeviceIdentity;
  /** Ids of gateways, hex. */
  gateways: string[];
}

/** Which bottles a gateway speaks for: queries on `bottles`. */
@Injectable()
export class GatewayBottlesRepository {
  constructor(@InjectModel(Bottle.name) private readonly bottles: Model<Bottle>) {}

  /** These bottles by id (hex), as far as there are any. */
  async findByIds(ids: Types.ObjectId[]): Promise<Map<string, GatewayBottle>> {
    const found = await this.bottles
      .find({ _id: { $in: ids } }, { ...OF_DEVICE, gateway_ids: 1 })
      .lean<(DeviceIdentity & Pick<Bottle, 'gateway_ids'>)[]>();
    return new Map(
      found.map(({ gateway_ids = [], ...device }) => [
        device._id.toHexString(),
        { device, gateways: gateway_ids.map((id) => id.toHexString()) },
      ]),
    );
  }

  /** A gateway's bottles in the order of their ids: `after` exclusive. */
  findPage(
    gateway: Types.ObjectId,
    after: Types.ObjectId | undefined,
    limit: number,
  ): Promise<Pick<Bottle, '_id' | 'user_id' | 'medication'>[]> {
    return this.bottles
      .find(
        { gateway_ids: gateway, 'gateway_ids.0': { $exists: true }, ...(after && { _id: { $gt: after } }) },
        { user_id: 1, medication: 1 },
      )
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Pick<Bottle, '_id' | 'user_id' | 'medication'>[]>();
  }

  /** Lets a gateway speak for these bottles, beside those that do already. */
  async assign(gateway: Types.ObjectId, ids: Types.ObjectId[]): Promise<void> {
    await this.bottles.updateMany(
      { _id: { $in: ids } },
      { ...IDENTITY_CHANGED, $addToSet: { gateway_ids: gateway } },
    );
  }

  async unassign(gateway: Types.ObjectId, ids: Types.ObjectId[]): Promise<void> {
    await this.bottles.updateMany(
      { _id: { $in: ids } },
      { ...IDENTITY_CHANGED, $pull: { gateway_ids: gateway } },
    );
  }
}
