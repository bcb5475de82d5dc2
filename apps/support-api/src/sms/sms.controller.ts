import { Problem } from '#platform';
import { Body, Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { kannelReceipt, twilioReceipt } from '#domain';
import { SmsService } from './sms.service.js';
import { twiml } from './twiml.js';

type Fields = Record<string, unknown>;

/** In characters: a gateway's id of a message is shorter. */
const MOST_OF_ID = 100;

/** A field that was sent once. */
function textIn(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * What gateways for SMS report: receipts and messages from people, once they are admitted (`gatewayAdmission`).
 * Kannel and those like it send GET requests whose fields we name; Twilio posts forms with its own.
 */
@ApiExcludeController()
@Controller('sms')
export class SmsController {
  constructor(private readonly sms: SmsService) {}

  @Get('receipts/:token')
  @Header('content-type', 'text/plain')
  async takeReceipt(@Param('token') token: string, @Query() query: Fields): Promise<string> {
    const reply = textIn(query, 'reply');
    await this.sms.takeReceipt(token, kannelReceipt(textIn(query, 'type') ?? '', reply), reply);
    return '';
  }

  @Post('receipts/:token')
  @HttpCode(200)
  @Header('content-type', 'text/plain')
  async takeTwilioReceipt(@Param('token') token: string, @Body() form: Fields | undefined): Promise<string> {
    const code = textIn(form, 'ErrorCode');
    const state = twilioReceipt(textIn(form, 'MessageStatus') ?? '', code);
    await this.sms.takeReceipt(token, state, code && `code ${code}`);
    return '';
  }

  @Get('messages')
  @Header('content-type', 'text/plain; charset=utf-8')
  async takeMessage(@Query() query: Fields): Promise<string> {
    return (await this.answerTo(textIn(query, 'from'), textIn(query, 'text'), textIn(query, 'id'))) ?? '';
  }

  @Post('messages')
  @HttpCode(200)
  @Header('content-type', 'text/xml; charset=utf-8')
  async takeTwilioMessage(@Body() form: Fields | undefined): Promise<string> {
    return twiml(await this.answerTo(textIn(form, 'From'), textIn(form, 'Body'), textIn(form, 'MessageSid')));
  }

  private answerTo(
    from: string | undefined,
    text: string | undefined,
    id: string | undefined,
  ): Promise<string | undefined> {
    if (from === undefined || text === undefined)
      throw new Problem(400, 'missing_field', 'Send the number and the text.');
    return this.sms.takeMessage(from, text, id?.slice(0, MOST_OF_ID) || undefined);
  }
}
