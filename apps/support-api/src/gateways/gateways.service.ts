import { type Gateway, GatewayBottlesRepository, GatewaysRepository } from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { toObjectId } from '../http/ids.js';
import { type ById, Cursors, type Page, type PageQuery, readPage } from '../http/paging.js';
import { viewOf, viewsOf } from '../http/view.js';
import {
  type GatewayBottleDto,
  type GatewayBottlesDto,
  GatewayDto,
  type GatewayTokenDto,
  type RegisteredGatewayDto,
} from './gateway.dto.js';

const CURSORS = new Cursors<ById>('gateways', { timed: false });
const BOTTLE_CURSORS = new Cursors<ById>('gateway-bottles', { timed: false });

/** Gateways, and the bottles that each may report for. Changes reach device-api within a minute. */
@Injectable()
export class GatewaysService {
  constructor(
    private readonly gateways: GatewaysRepository,
    private readonly gatewayBottles: GatewayBottlesRepository,
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
    return { ...viewOf(GatewayDto, gateway), token };
  }

  list(query: PageQuery): Promise<Page<GatewayDto>> {
    return readPage(query, {
      cursors: CURSORS,
      find: (after, limit) => this.gateways.findPage(after?.id, limit),
      positionOf: ({ _id }) => ({ id: _id }),
      show: viewsOf(GatewayDto),
    });
  }

  /** @throws Problem 404; 409 if it was revoked */
  async rotateToken(id: Types.ObjectId): Promise<GatewayTokenDto> {
    const token = newToken('pwg');
    if (await this.gateways.rotateToken(id, hashToken(token))) return { token };
    await this.findActive(id);
    throw new Error(`the token of gateway ${id.toHexString()} was not replaced`);
  }

  /** Revoking again changes nothing. @throws Problem 404 */
  async revoke(id: Types.ObjectId): Promise<void> {
    if (!(await this.gateways.revoke(id, this.clock.now()))) await this.find(id);
  }

  /** @throws Problem 404 */
  async bottles(id: Types.ObjectId, query: PageQuery): Promise<Page<GatewayBottleDto>> {
    await this.find(id);
    return readPage(query, {
      cursors: BOTTLE_CURSORS,
      find: (after, limit) => this.gatewayBottles.findPage(id, after?.id, limit),
      positionOf: ({ _id }) => ({ id: _id }),
      show: (bottles) =>
        bottles.map(({ _id, user_id, medication }) => ({
          bottle_id: _id.toHexString(),
          user_id,
          medication,
        })),
    });
  }

  /** @throws Problem 404 for an unknown gateway or bottle; 409 if the gateway was revoked */
  async assign(id: Types.ObjectId, bottleIds: string[]): Promise<GatewayBottlesDto> {
    await this.findActive(id);
    const ids = bottleIds.map((text) => toObjectId(text, 'bottle_ids'));
    const registered = await this.gatewayBottles.findByIds(ids);
    const missing = ids.findIndex((bottle) => !registered.has(bottle.toHexString()));
    if (missing >= 0) {
      const field = `bottle_ids[${missing}]`;
      throw Problem.field(field, 'bottle_not_found', `${field} is not the id of a bottle`, 404);
    }
    await this.gatewayBottles.assign(id, ids);
    return { bottle_ids: ids.map((bottle) => bottle.toHexString()) };
  }

  /** Unknown bottles and bottles of other gateways are ignored. @throws Problem 404 */
  async unassign(id: Types.ObjectId, bottleIds: string[]): Promise<GatewayBottlesDto> {
    await this.find(id);
    const ids = bottleIds.map((text) => toObjectId(text, 'bottle_ids'));
    await this.gatewayBottles.unassign(id, ids);
    return { bottle_ids: ids.map((bottle) => bottle.toHexString()) };
  }

  private async find(id: Types.ObjectId): Promise<Gateway> {
    const gateway = await this.gateways.findById(id);
    if (!gateway) throw Problem.notFound('gateway');
    return gateway;
  }

  private async findActive(id: Types.ObjectId): Promise<void> {
    const { revoked_at } = await this.find(id);
    if (revoked_at)
      throw new Problem(409, 'gateway_revoked', 'This gateway was revoked. Register another one.');
  }
}
