import type { Subject } from '#persistence';
import { Body, Delete, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, NoPatientData } from '../auth/audited.js';
import { Sensitive } from '../auth/sensitive.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Creates } from '../http/creates.js';
import { IdParam } from '../http/ids.js';
import { GetList } from '../http/list.js';
import { type Page, PageQuery } from '../http/paging.js';
import {
  GatewayBottleDto,
  GatewayBottlesDto,
  GatewayDto,
  GatewayTokenDto,
  RegisteredGatewayDto,
  RegisterGatewayDto,
} from './gateway.dto.js';
import { GatewaysService } from './gateways.service.js';

/** The pages of the bottles show which gateway may report for them. */
const itsBottles = ({ bottle_ids }: GatewayBottlesDto): Subject[] =>
  bottle_ids.map((id) => ({ kind: 'bottle', id }));

@StaffController('v1/gateways', 'gateways', 'admin')
export class GatewaysController {
  constructor(private readonly gateways: GatewaysService) {}

  @ApiOperation({
    summary: 'Registers a gateway and returns its token',
    description: 'It cannot report for any bottle yet.',
  })
  @Post()
  @Sensitive('data')
  @Audited({ action: 'gateway.register', kind: 'gateway', idIn: 'id', keep: ['name'] })
  @Creates(RegisteredGatewayDto)
  registerGateway(@Body() body: RegisterGatewayDto): Promise<RegisteredGatewayDto> {
    return this.gateways.register(body.name);
  }

  @ApiOperation({ summary: 'Lists all gateways, oldest first, including revoked ones' })
  @GetList(GatewayDto)
  @NoPatientData()
  @Roles('viewer')
  listGateways(@Query() query: PageQuery): Promise<Page<GatewayDto>> {
    return this.gateways.list(query);
  }

  @ApiOperation({ summary: 'Replaces the token', description: 'The old one stops working within a minute.' })
  @Post(':id/token')
  @Sensitive('data')
  @Audited({ action: 'gateway.rotate_token', kind: 'gateway' })
  @Creates(GatewayTokenDto)
  rotateGatewayToken(@IdParam() id: Types.ObjectId): Promise<GatewayTokenDto> {
    return this.gateways.rotateToken(id);
  }

  @ApiOperation({
    summary: 'Revokes a gateway permanently',
    description: 'Its bottles stay and can report by themselves or through another gateway.',
  })
  @Delete(':id')
  @Audited({ action: 'gateway.revoke', kind: 'gateway' })
  @HttpCode(204)
  @ApiNoContentResponse()
  revokeGateway(@IdParam() id: Types.ObjectId): Promise<void> {
    return this.gateways.revoke(id);
  }

  @ApiOperation({ summary: 'Lists the bottles that a gateway may report for, ordered by id' })
  @GetList(GatewayBottleDto, ':id/bottles')
  @Audited({ action: 'gateway.read', kind: 'gateway' })
  @Roles('viewer')
  listGatewayBottles(
    @IdParam() id: Types.ObjectId,
    @Query() query: PageQuery,
  ): Promise<Page<GatewayBottleDto>> {
    return this.gateways.bottles(id, query);
  }

  @ApiOperation({
    summary:
      'Lets a gateway report for these bottles, too: for all of them, or for none if one does not exist',
  })
  @Post(':id/assign')
  @Audited({ action: 'gateway.assign', kind: 'gateway', also: itsBottles })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: GatewayBottlesDto, description: 'The bottles that were assigned.' })
  assignBottles(@IdParam() id: Types.ObjectId, @Body() body: GatewayBottlesDto): Promise<GatewayBottlesDto> {
    return this.gateways.assign(id, body.bottle_ids);
  }

  @ApiOperation({ summary: 'Stops a gateway from reporting for these bottles' })
  @Post(':id/unassign')
  @Audited({ action: 'gateway.unassign', kind: 'gateway', also: itsBottles })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: GatewayBottlesDto, description: 'The bottles that were unassigned.' })
  unassignBottles(
    @IdParam() id: Types.ObjectId,
    @Body() body: GatewayBottlesDto,
  ): Promise<GatewayBottlesDto> {
    return this.gateways.unassign(id, body.bottle_ids);
  }
}
