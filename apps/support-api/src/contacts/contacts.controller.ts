import { Body, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Audited } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { ContactDto } from './contact.dto.js';
import { ContactsService } from './contacts.service.js';

@StaffController('v1/contacts', 'contacts', 'viewer')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @ApiOperation({ summary: 'Returns how and when a user is notified' })
  @Get(':user_id')
  @Audited({ action: 'contact.read', kind: 'contact' })
  @ApiOkResponse({ type: ContactDto })
  get(@Param('user_id') userId: string): Promise<ContactDto> {
    return this.contacts.get(userId);
  }

  @ApiOperation({ summary: 'Replaces the whole contact: fields that are left out are removed' })
  @Put(':user_id')
  @Audited({ action: 'contact.put', kind: 'contact' })
  @Roles('support')
  @ApiOkResponse({ type: ContactDto })
  put(@Param('user_id') userId: string, @Body() body: ContactDto): Promise<ContactDto> {
    return this.contacts.put(userId, body);
  }

  @ApiOperation({ summary: 'Deletes the contact', description: 'Notifications then go to the operator.' })
  @Delete(':user_id')
  @Audited({ action: 'contact.delete', kind: 'contact' })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@Param('user_id') userId: string): Promise<void> {
    return this.contacts.delete(userId);
  }
}
