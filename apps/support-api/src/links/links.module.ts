import { Module } from '@nestjs/common';
import { LinksController } from './links.controller.js';
import { LinksService } from './links.service.js';

/** The links in notifications, by which a recipient acknowledges an alert without signing in. */
@Module({ controllers: [LinksController], providers: [LinksService] })
export class LinksModule {}
