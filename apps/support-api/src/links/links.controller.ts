import { Controller, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LinksService } from './links.service.js';

const NO_EXTRAS = "default-src 'none'; style-src 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * The page behind a message's link. Mail scanners follow links (Rock#7034): looking changes nothing, only
 * pressing the button does.
 */
@ApiExcludeController()
@Controller('a/:token')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', NO_EXTRAS)
  @Header('referrer-policy', 'no-referrer')
  @Header('cache-control', 'no-store')
  async ask(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const page = await this.links.ask(token);
    void reply.status(page.status);
    return page.html;
  }

  @Post()
  @HttpCode(200)
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', NO_EXTRAS)
  @Header('referrer-policy', 'no-referrer')
  @Header('cache-control', 'no-store')
  async act(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const page = await this.links.acknowledge(token);
    void reply.status(page.status);
    return page.html;
  }
}
