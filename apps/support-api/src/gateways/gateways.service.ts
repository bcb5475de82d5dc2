import { type Gateway, GatewayBottlesRepository, GatewaysRepository } from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page, type PageQuery } from '../http/paging.js';
import {
  type GatewayBottleDto,
  type GatewayBottlesDto,
  type GatewayDto,
  type GatewayTokenDto,
  gatewayView,
  type RegisteredGatewayDto,
} from './gateway.dto.js';

const CURSORS = new Cursors('gateways', { timed: false });
const BOTTLE_CURSORS = new Cursors('gateway-bottles', { timed: false });

/** Gateways, and the bottles that each may speak for. device-api hears of a change within a minute. */
@Injectable()
export class GatewaysService {
  constructor(
    private readonly gateways: GatewaysRepository,
    private readonly bottlesOf: GatewayBottlesRepository,
    private readonly clock: Clock,
  ) {}

  async register(name: string): Promise<RegisteredGatewayDto> {
    const token = newToken('pwg');
    const gateway = {
      _id: new Types.ObjectId(),
      name,
      token_hash: hashToken(token),
      revoked_token_hashes: [],
      created_at: this.clock.now(),
    };
    await this.gateways.insert(gateway);
    return { ...gatewayView(gateway), token };
  }

  async list({ cursor, limit = DEFAULT_LIMIT }: PageQuery): Promise<Page<GatewayDto>> {
    const found = await this.gateways.findPage(positionOf(CURSORS, cursor), limit + 1);
    return cutPage(found, limit, gatewayView, ({ _id }) => CURSORS.encode({ id: _id.toHexString() }));
  }

  /** @throws Problem 404, or 409 when it was revoked. */
  async rotateToken(id: Types.ObjectId): Promise<GatewayTokenDto> {
    const token = newToken('pwg');
    if (await this.gateways.rotateToken(id, hashToken(token))) return { token };
    await this.findActive(id);
    throw new Error(`the token of gateway ${id.toHexString()} could not be replaced`);
  }

  /** Once more changes nothing. @throws Problem 404 */
  async revoke(id: Types.ObjectId): Promise<void> {
    if (!(await this.gateways.revoke(id, this.clock.now()))) await this.find(id);
  }

  /** @throws Problem 404 */
  async bottles(
    id: Types.ObjectId,
    { cursor, limit = DEFAULT_LIMIT }: PageQuery,
  ): Promise<Page<GatewayBottleDto>> {
    await this.find(id);
    const found = await this.bottlesOf.findPage(id, positionOf(BOTTLE_CURSORS, cursor), limit + 1);
    return cutPage(
      found,
      limit,
      ({ _id, user_id, medication }) => ({ bottle_id: _id.toHexString(), user_id, medication }),
      ({ _id }) => BOTTLE_CURSORS.encode({ id: _id.toHexString() }),
    );
  }

  /** @throws Problem 404 when the gateway or a bottle is not there, 409 when the gateway was revoked. */
  async assign(id: Types.ObjectId, bottleIds: string[]): Promise<GatewayBottlesDto> {
    await this.findActive(id);
    const ids = bottleIds.map((text) => new Types.ObjectId(text));
    const registered = await this.bottlesOf.findByIds(ids);
    const missing = ids.findIndex((bottle) => !registered.has(bottle.toHexString()));
    if (missing >= 0) {
      const field = `bottle_ids[${missing}]`;
      throw Problem.field(field, 'bottle_not_found', `${field} is no bottle's id`, 404);
    }
    await this.bottlesOf.assign(id, ids);
    return { bottle_ids: ids.map((bottle) => bottle.toHexString()) };
  }

  /** Bottles that are not there, or were not its own, are no error. @throws Problem 404 */
  async unassign(id: Types.ObjectId, bottleIds: string[]): Promise<GatewayBottlesDto> {
    await this.find(id);
    const ids = bottleIds.map((text) => new Types.ObjectId(text));
    await this.bottlesOf.unassign(id, ids);
    return { bottle_ids: ids.map((bottle) => bottle.toHexString()) };
  }

  private async find(id: Types.ObjectId): Promise<Gateway> {
    const gateway = await this.gateways.findById(id);
    if (!gateway) throw Problem.notFound('gateway');
    return gateway;
  }

  private async findActive(id: Types.ObjectId): Promise<void> {
    const { revoked_at } = await this.find(id);
    if (revoked_at) throw new Problem(409, 'gateway_revoked', 'This gateway was revoked; register another.');
  }
}

function positionOf(cursors: Cursors, cursor: string | undefined): Types.ObjectId | undefined {
  return cursor === undefined ? undefined : toObjectId(cursors.decode(cursor).id, 'cursor');
}
