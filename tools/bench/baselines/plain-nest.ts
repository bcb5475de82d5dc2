/**
 * Baseline: the service that most would write. NestJS on Express, ValidationPipe with a class-validator DTO,
 * a guard that finds the bottle by its token, and a Mongoose `create()` and `updateOne()` a request.
 */
import { bearerToken, hashToken } from '#platform';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Module,
  Post,
  Req,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectModel, MongooseModule, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { IsISO8601, IsInt, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { type Model, Types } from 'mongoose';
import { contactUpdate } from './group-writer.js';

@Schema({ collection: 'bottles', versionKey: false })
class Bottle {
  _id: Types.ObjectId;
  @Prop({ type: String }) user_id: string;
  @Prop({ type: String }) medication: string;
  @Prop({ type: String }) token_hash: string;
}

@Schema({ collection: 'bottle_heartbeats', versionKey: false })
class Heartbeat {
  @Prop({ type: Types.ObjectId, required: true }) bottle_id: Types.ObjectId;
  @Prop({ type: String, required: true }) user_id: string;
  @Prop({ type: String, required: true }) medication: string;
  @Prop({ type: Date, required: true }) time: Date;
}

@Schema({ collection: 'bottle_states', versionKey: false })
class State {
  _id: Types.ObjectId;
  @Prop({ type: Boolean }) never_heard?: boolean;
  @Prop({ type: Boolean }) unheard?: boolean;
  @Prop({ type: Date }) last_heard_at?: Date;
  @Prop({ type: Date }) silent_at?: Date;
}

class HeartbeatDto {
  @IsOptional() @IsISO8601() sent_at?: string;
  @IsOptional() @IsNumber() @Min(0) @Max(100) battery_percent?: number;
  @IsOptional() @IsNumber() @Min(-200) @Max(50) rssi_dbm?: number;
  @IsOptional() @IsNumber() @Min(0) mass_of_contents?: number;
  @IsOptional() @IsInt() @Min(0) number_of_pills?: number;
}

interface DeviceRequest {
  headers: { authorization?: string };
  bottle: Bottle;
}

@Injectable()
class DeviceGuard implements CanActivate {
  constructor(@InjectModel(Bottle.name) private readonly bottles: Model<Bottle>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DeviceRequest>();
    const token_hash = hashToken(bearerToken(request.headers.authorization) ?? '');
    const bottle = await this.bottles.findOne({ token_hash });
    if (!bottle) throw new UnauthorizedException();
    request.bottle = bottle;
    return true;
  }
}

@Controller()
class HeartbeatsController {
  constructor(
    @InjectModel(Heartbeat.name) private readonly heartbeats: Model<Heartbeat>,
    @InjectModel(State.name) private readonly states: Model<State>,
  ) {}

  @Get('health/ready')
  ready(): object {
    return { status: 'ok' };
  }

  @Post('v1/heartbeats')
  @HttpCode(204)
  @UseGuards(DeviceGuard)
  async create(@Req() { bottle }: DeviceRequest, @Body() body: HeartbeatDto): Promise<void> {
    const time = new Date();
    const { _id: bottle_id, user_id, medication } = bottle;
    await this.heartbeats.create({ bottle_id, user_id, medication, time, ...body });
    await this.states.updateOne({ _id: bottle_id }, contactUpdate(time));
  }
}

@Module({
  imports: [
    MongooseModule.forRoot(process.env['MONGODB_URI']!, {
      autoIndex: false,
      autoCreate: false,
      writeConcern: { w: 'majority', journal: true },
    }),
    MongooseModule.forFeature([
      { name: Bottle.name, schema: SchemaFactory.createForClass(Bottle) },
      { name: Heartbeat.name, schema: SchemaFactory.createForClass(Heartbeat) },
      { name: State.name, schema: SchemaFactory.createForClass(State) },
    ]),
  ],
  controllers: [HeartbeatsController],
})
class PlainModule {}

const app = await NestFactory.create(PlainModule, { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env['BASELINE_PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
