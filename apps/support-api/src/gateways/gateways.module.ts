import { Module } from '@nestjs/common';
import { GatewaysController } from './gateways.controller.js';
import { GatewaysService } from './gateways.service.js';

/** Gateways and the bottles that each may report for. */
@Module({ controllers: [GatewaysController], providers: [GatewaysService] })
export class GatewaysModule {}
