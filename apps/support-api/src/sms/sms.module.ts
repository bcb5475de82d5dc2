import { Module } from '@nestjs/common';
import { SmsController } from './sms.controller.js';
import { SmsService } from './sms.service.js';

/** What gateways for SMS report: receipts, and messages from people. */
@Module({ controllers: [SmsController], providers: [SmsService] })
export class SmsModule {}
