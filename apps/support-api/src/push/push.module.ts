import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { PushController, PushWorkerController } from './push.controller.js';
import { PushService } from './push.service.js';
import { StaffBrowsersController } from './staff-browsers.controller.js';

/** Browsers that show messages: how people add one on the page of a message, and staff in the console. */
@Module({
  imports: [LinksModule],
  controllers: [PushController, PushWorkerController, StaffBrowsersController],
  providers: [PushService],
})
export class PushModule {}
