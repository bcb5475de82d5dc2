import { Module } from '@nestjs/common';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';

/** How users and their carers are notified. */
@Module({ controllers: [ContactsController], providers: [ContactsService] })
export class ContactsModule {}
