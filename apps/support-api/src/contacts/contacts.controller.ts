import { type Contact, type Expected, versionOf } from '#persistence';
import { Body, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audited, Changes, type TakesChanges } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { OncePerKey } from '../http/creates.js';
import { AnswersNotModified } from '../http/etag.js';
import { UserIdParam } from '../http/ids.js';
import { IfMatch, IfMatchOrNone, type Precondition, sendVersion } from '../http/versions.js';
import { ContactDto } from './contact.dto.js';
import { ContactsService } from './contacts.service.js';
import { NotifiedPlanDto, NotifiedPlanQuery } from './notified-plan.dto.js';
import { Reachability } from './reachability.service.js';
import { SendTestDto, TestMessageDto } from './test-message.dto.js';

@StaffController('v1/contacts', 'contacts', 'viewer')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly reachability: Reachability,
  ) {}

  @ApiOperation({ summary: 'Returns how and when a user is notified' })
  @Get(':user_id')
  @AnswersNotModified()
  @Audited({ action: 'contact.read', kind: 'contact' })
  @ApiOkResponse({ type: ContactDto })
  async getContact(
    @UserIdParam() userId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ContactDto> {
    return this.send(reply, await this.contacts.get(userId));
  }

  @ApiOperation({ summary: 'Replaces the whole contact: fields that are left out are removed' })
  @Put(':user_id')
  @Audited({ action: 'contact.put', kind: 'contact' })
  @Roles('support')
  @ApiOkResponse({ type: ContactDto, description: 'The contact was replaced.' })
  @ApiCreatedResponse({ type: ContactDto, description: 'There was none before.' })
  async setContact(
    @UserIdParam() userId: string,
    @Body() body: ContactDto,
    @IfMatchOrNone() expected: Precondition,
    @Changes() changes: TakesChanges,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ContactDto> {
    const { contact, isNew, changed } = await this.contacts.put(userId, body, expected);
    if (changed) changes(changed);
    void reply.status(isNew ? 201 : 200);
    return this.send(reply, contact);
  }

  @ApiOperation({
    summary: 'Sends a test message to an address of the contact',
    description:
      'It says that it is a test and contains nothing about a patient. The notifier makes one attempt within seconds; ' +
      'ask for the result. At most five an hour for each contact.',
  })
  @Post(':user_id/test')
  @OncePerKey()
  @Audited({ action: 'contact.test', kind: 'contact', keep: ['to', 'channel'] })
  @Roles('support')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: TestMessageDto })
  sendTestMessage(
    @UserIdParam() userId: string,
    @Body() body: SendTestDto,
    @Caller() caller: Staff,
  ): Promise<TestMessageDto> {
    return this.contacts.sendTest(userId, body, caller);
  }

  @ApiOperation({
    summary: 'Returns whom each step of the plan reaches at the moment, and where',
    description:
      'By the rule by which messages are sent (ESC-3), with what is verified, refused, paused and set up now.',
  })
  @Get(':user_id/plan')
  @Audited({ action: 'contact.read', kind: 'contact' })
  @ApiOkResponse({ type: NotifiedPlanDto })
  async getNotifiedPlan(
    @UserIdParam() userId: string,
    @Query() { late_at: lateAt }: NotifiedPlanQuery,
  ): Promise<NotifiedPlanDto> {
    const contact = await this.contacts.get(userId);
    return this.reachability.plan(contact, lateAt === undefined ? undefined : new Date(lateAt));
  }

  @ApiOperation({ summary: 'Returns the last test message with its result' })
  @Get(':user_id/test')
  @Audited({ action: 'contact.read', kind: 'contact' })
  @ApiOkResponse({ type: TestMessageDto })
  getTestMessage(@UserIdParam() userId: string): Promise<TestMessageDto> {
    return this.contacts.findTest(userId);
  }

  @ApiOperation({ summary: 'Deletes the contact', description: 'Notifications then go to the operator.' })
  @Delete(':user_id')
  @Audited({ action: 'contact.delete', kind: 'contact' })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  deleteContact(@UserIdParam() userId: string, @IfMatch() expected: Expected): Promise<void> {
    return this.contacts.delete(userId, expected);
  }

  private async send(reply: FastifyReply, contact: Contact): Promise<ContactDto> {
    const view = await this.reachability.show(contact);
    sendVersion(reply, versionOf(contact), view);
    return view;
  }
}
