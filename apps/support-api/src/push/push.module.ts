import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.js';
import { PushController, PushWorkerController } from './push.controller.js';
import { PushService } from './push.service.js';

/** Browsers that show messages: how people add one on the page of a message. */
@Module({
  imports: [LinksModule],
  controllers: [PushController, PushWorkerController],
  providers: [PushService],
})
export class PushModule {}
