import { Body, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, NoPatientData } from '../auth/audited.js';
import { Sensitive } from '../auth/sensitive.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Creates } from '../http/creates.js';
import { IdParam } from '../http/ids.js';
import {
  ChangeWebhookEndpointDto,
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointDto,
  EndpointTestDto,
  ReplayedDto,
  ReplayRangeDto,
  RotateWebhookSecretDto,
  WebhookEndpointDto,
  WebhookEndpointsDto,
  WebhookSecretDto,
} from './webhook-endpoint.dto.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@StaffController('v1/webhook-endpoints', 'webhook endpoints', 'admin')
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @ApiOperation({ summary: 'Lists the receivers of webhooks, and which kinds of alerts none of them takes' })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: WebhookEndpointsDto })
  listWebhookEndpoints(): Promise<WebhookEndpointsDto> {
    return this.endpoints.list();
  }

  @ApiOperation({
    summary: 'Adds a receiver of webhooks and returns the secret that signs what is sent there',
    description: 'Notifications are sent there from two seconds later on. There are at most 20.',
  })
  @Post()
  @Sensitive('data')
  @Audited({
    action: 'webhook_endpoint.create',
    kind: 'webhook_endpoint',
    idIn: 'id',
    keep: ['kinds', 'events'],
  })
  @Creates(CreatedWebhookEndpointDto, ({ id }: CreatedWebhookEndpointDto) => `/v1/webhook-endpoints/${id}`)
  createWebhookEndpoint(@Body() body: CreateWebhookEndpointDto): Promise<CreatedWebhookEndpointDto> {
    return this.endpoints.create(body);
  }

  @ApiOperation({ summary: 'Returns a receiver of webhooks' })
  @Get(':id')
  @NoPatientData()
  @ApiOkResponse({ type: WebhookEndpointDto })
  getWebhookEndpoint(@IdParam() id: Types.ObjectId): Promise<WebhookEndpointDto> {
    return this.endpoints.get(id);
  }

  @ApiOperation({
    summary: 'Changes a receiver of webhooks, or pauses it',
    description: 'What waits there and is of a kind that it does not want any more goes to the others.',
  })
  @Patch(':id')
  @Sensitive('data')
  @Audited({
    action: 'webhook_endpoint.change',
    kind: 'webhook_endpoint',
    keep: ['kinds', 'events', 'paused'],
  })
  @ApiOkResponse({ type: WebhookEndpointDto })
  changeWebhookEndpoint(
    @IdParam() id: Types.ObjectId,
    @Body() body: ChangeWebhookEndpointDto,
  ): Promise<WebhookEndpointDto> {
    return this.endpoints.change(id, body);
  }

  @ApiOperation({
    summary: 'Deletes a receiver of webhooks',
    description: 'What waits there goes to the others, or to the notifier’s output.',
  })
  @Delete(':id')
  @Sensitive('data')
  @Audited({ action: 'webhook_endpoint.delete', kind: 'webhook_endpoint' })
  @HttpCode(204)
  @ApiNoContentResponse()
  deleteWebhookEndpoint(@IdParam() id: Types.ObjectId): Promise<void> {
    return this.endpoints.delete(id);
  }

  @ApiOperation({
    summary: 'Replaces the secret',
    description: 'For 24 hours, or as the request says, the secret before signs, too.',
  })
  @Post(':id/secret')
  @Sensitive('data')
  @Audited({
    action: 'webhook_endpoint.rotate_secret',
    kind: 'webhook_endpoint',
    keep: ['keep_old_for_hours'],
  })
  @Creates(WebhookSecretDto)
  rotateWebhookSecret(
    @IdParam() id: Types.ObjectId,
    @Body() body: RotateWebhookSecretDto,
  ): Promise<WebhookSecretDto> {
    return this.endpoints.rotateSecret(id, body.keep_old_for_hours);
  }

  @ApiOperation({ summary: 'Sends to a disabled receiver again, and what waits for it at once' })
  @Post(':id/enable')
  @Audited({ action: 'webhook_endpoint.enable', kind: 'webhook_endpoint' })
  @HttpCode(200)
  @ApiOkResponse({ type: WebhookEndpointDto })
  enableWebhookEndpoint(@IdParam() id: Types.ObjectId): Promise<WebhookEndpointDto> {
    return this.endpoints.enable(id);
  }

  @ApiOperation({
    summary: 'Sends a test message there, also if it is paused or disabled',
    description: 'One attempt is made. The endpoint has its result.',
  })
  @Post(':id/test')
  @Audited({ action: 'webhook_endpoint.test', kind: 'webhook_endpoint' })
  @HttpCode(202)
  @ApiAcceptedResponse({ type: EndpointTestDto })
  testWebhookEndpoint(@IdParam() id: Types.ObjectId, @Caller() caller: Staff): Promise<EndpointTestDto> {
    return this.endpoints.test(id, caller);
  }

  @ApiOperation({
    summary: 'Sends the dead notifications of a time there again, oldest first, with the same ids',
    description: 'Each is checked again before it is sent: what is not true any more is cancelled.',
  })
  @Post(':id/replay')
  @Audited({ action: 'webhook_endpoint.replay', kind: 'webhook_endpoint', keep: ['from', 'to'] })
  @HttpCode(200)
  @ApiOkResponse({ type: ReplayedDto })
  replayToWebhookEndpoint(@IdParam() id: Types.ObjectId, @Body() body: ReplayRangeDto): Promise<ReplayedDto> {
    return this.endpoints.replay(id, body);
  }
}
