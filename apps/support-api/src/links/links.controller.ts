import { applyDecorators, Controller, Get, Headers, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { languageOf } from '../http/language.js';
import { asItStands } from './followed-links.js';
import { type Form, FormBody } from './form-body.js';
import { LinksService } from './links.service.js';
import { type Page, PageInterceptor } from './page.js';
import { Reader } from './reader.js';
import { StopService } from './stop.service.js';
import { VerificationService } from './verification.service.js';

const Accepted = (): ParameterDecorator => Headers('accept-language');

/** A controller that needs no sign-in, and answers with pages. */
const LinkController = (path: string): ClassDecorator =>
  applyDecorators(ApiExcludeController(), Controller(path), UseInterceptors(PageInterceptor));

/**
 * The page behind the link of a notification. Mail scanners follow links (Rock#7034), so opening the page changes
 * nothing: only pressing its buttons does.
 */
@LinkController('a/:token')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get()
  ask(@Param('token') token: string, @Accepted() accepted: string | undefined): Promise<Page> {
    return this.links.ask(token, accepted);
  }

  @Post()
  acknowledge(@Param('token') token: string, @Accepted() accepted: string | undefined): Promise<Page> {
    return this.links.acknowledge(token, accepted);
  }

  /** The address of a button: opened again from the browser's history, for example. */
  @Get(':answer')
  back(@Param('token') token: string, @Accepted() accepted: string | undefined): Page {
    return asItStands({ token, reader: new Reader(languageOf(accepted)) });
  }

  @Post(':answer')
  answer(
    @Param('token') token: string,
    @Param('answer') answer: string,
    @FormBody() form: Form,
    @Accepted() accepted: string | undefined,
  ): Promise<Page> {
    return this.links.answer(token, answer, form, accepted);
  }
}

/** The page behind the link that asks whether an address is the right one: only pressing its button confirms it. */
@LinkController('v/:token')
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  @Get()
  ask(@Param('token') token: string, @Accepted() accepted: string | undefined): Promise<Page> {
    return this.verification.ask(token, accepted);
  }

  @Post()
  confirm(@Param('token') token: string, @Accepted() accepted: string | undefined): Promise<Page> {
    return this.verification.confirm(token, accepted);
  }
}

/** The page on which a recipient stops messages, and where mail programs post to do so (RFC 8058). */
@LinkController('s/:token')
export class StopController {
  constructor(private readonly stops: StopService) {}

  @Get()
  ask(@Param('token') token: string, @Accepted() accepted: string | undefined): Promise<Page> {
    return this.stops.ask(token, accepted);
  }

  @Post()
  stop(@Param('token') token: string, @Accepted() accepted: string | undefined): Promise<Page> {
    return this.stops.stop(token, accepted);
  }
}
