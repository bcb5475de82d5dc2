import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { LinksModule } from '../links/links.module.js';
import { SmsAnswers } from './sms-answers.js';
import { SmsController } from './sms.controller.js';
import { SmsService } from './sms.service.js';

/** What gateways for SMS report: receipts, and messages from people. */
@Module({
  imports: [ContactsModule, LinksModule],
  controllers: [SmsController],
  providers: [SmsAnswers, SmsService],
})
export class SmsModule {}
