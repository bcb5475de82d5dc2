import type { Subject } from '#persistence';
import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { type Page, PageOf, PageQuery } from '../http/paging.js';
import {
  GATEWAY_BOTTLE_COLUMNS,
  GATEWAY_COLUMNS,
  GatewayBottleDto,
  GatewayBottlesDto,
  GatewayDto,
  GatewayTokenDto,
  RegisteredGatewayDto,
  RegisterGatewayDto,
} from './gateway.dto.js';
import { GatewaysService } from './gateways.service.js';

/** The bottles' own pages show who was let speak for them. */
const itsBottles = ({ bottle_ids }: GatewayBottlesDto): Subject[] =>
  bottle_ids.map((id) => ({ kind: 'bottle', id }));

@StaffController('v1/gateways', 'gateways', 'admin')
export class GatewaysController {
  constructor(private readonly gateways: GatewaysService) {}

  /** A new gateway, and the token that it is to send. It speaks for no bottle yet. */
  @Post()
  @Audited({ action: 'gateway.register', kind: 'gateway', idIn: 'id', keep: ['name'] })
  @ApiCreatedResponse({ type: RegisteredGatewayDto })
  register(@Body() body: RegisterGatewayDto): Promise<RegisteredGatewayDto> {
    return this.gateways.register(body.name);
  }

  /** Every gateway, oldest first, also those that were revoked. */
  @Get()
  @Roles('viewer')
  @AlsoCsv(GATEWAY_COLUMNS)
  @ApiOkResponse({ type: PageOf(GatewayDto) })
  list(@Query() query: PageQuery): Promise<Page<GatewayDto>> {
    return this.gateways.list(query);
  }

  /** A new token; the old one stops working. */
  @Post(':id/token')
  @Audited({ action: 'gateway.rotate_token', kind: 'gateway' })
  @ApiCreatedResponse({ type: GatewayTokenDto })
  rotateToken(@IdParam() id: Types.ObjectId): Promise<GatewayTokenDto> {
    return this.gateways.rotateToken(id);
  }

  /** Revokes a gateway for good. Its bottles stay, and may report by themselves or by another. */
  @Delete(':id')
  @Audited({ action: 'gateway.revoke', kind: 'gateway' })
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(@IdParam() id: Types.ObjectId): Promise<void> {
    return this.gateways.revoke(id);
  }

  /** The bottles that a gateway may speak for, in the order of their ids. */
  @Get(':id/bottles')
  @Roles('viewer')
  @AlsoCsv(GATEWAY_BOTTLE_COLUMNS)
  @ApiOkResponse({ type: PageOf(GatewayBottleDto) })
  bottles(@IdParam() id: Types.ObjectId, @Query() query: PageQuery): Promise<Page<GatewayBottleDto>> {
    return this.gateways.bottles(id, query);
  }

  /** Lets a gateway speak for these bottles too: for all of them, or for none if one does not exist. */
  @Post(':id/assign')
  @Audited({ action: 'gateway.assign', kind: 'gateway', also: itsBottles })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: GatewayBottlesDto, description: 'The bottles that were assigned.' })
  assign(@IdParam() id: Types.ObjectId, @Body() body: GatewayBottlesDto): Promise<GatewayBottlesDto> {
    return this.gateways.assign(id, body.bottle_ids);
  }

  /** A gateway may no longer speak for these bottles. */
  @Post(':id/unassign')
  @Audited({ action: 'gateway.unassign', kind: 'gateway', also: itsBottles })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: GatewayBottlesDto, description: 'The bottles that were taken from it.' })
  unassign(@IdParam() id: Types.ObjectId, @Body() body: GatewayBottlesDto): Promise<GatewayBottlesDto> {
    return this.gateways.unassign(id, body.bottle_ids);
  }
}
