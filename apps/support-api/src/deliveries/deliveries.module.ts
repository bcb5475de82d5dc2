import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { MessagesService } from './messages.service.js';

/** Notifications: what was sent to whom, and sending again. */
@Module({
  imports: [TimeseriesModule],
  controllers: [DeliveriesController],
  providers: [DeliveriesService, MessagesService],
  exports: [MessagesService],
})
export class DeliveriesModule {}
