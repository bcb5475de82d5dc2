import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { AttestationsController } from './attestations.controller.js';
import { AttestationsService } from './attestations.service.js';

/** What people say about doses. */
@Module({
  imports: [TimeseriesModule],
  controllers: [AttestationsController],
  providers: [AttestationsService],
  exports: [AttestationsService],
})
export class AttestationsModule {}
