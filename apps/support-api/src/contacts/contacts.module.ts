import { Module } from '@nestjs/common';
import { BottlesModule } from '../bottles/bottles.module.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { Reachability } from './reachability.service.js';
import { WaitingMessages } from './waiting-messages.js';

/** How users and their carers are notified. */
@Module({
  imports: [BottlesModule],
  controllers: [ContactsController],
  providers: [ContactsService, Reachability, WaitingMessages],
  exports: [Reachability, WaitingMessages],
})
export class ContactsModule {}
