import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Model } from 'mongoose';

/** How often someone has tried to sign in, by account, by address, or by both, in the present window. */
@Schema({ collection: 'sign_in_attempts', versionKey: false, autoIndex: false, autoCreate: false })
export class SignInAttempts {
  /** `email:SHA-256`, `address:IP` or `email:SHA-256@IP`: what is typed into the e-mail's field may be a password. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Number, required: true })
  count: number;

  /** Of the last attempt. */
  @Prop({ type: Date, required: true })
  last_at: Date;

  @Prop({ type: Date, required: true })
  resets_at: Date;
}

export const SignInAttemptsSchema = SchemaFactory.createForClass(SignInAttempts);

// The server deletes windows that are over. The partial filter lets it stand beside `over`, which version 0.1.0 creates
// at its start without a retention: it could not start if that were this one.
SignInAttemptsSchema.index(
  { resets_at: 1 },
  { name: 'ended', expireAfterSeconds: 0, partialFilterExpression: { resets_at: { $exists: true } } },
);

/** Every query on `sign_in_attempts`. */
@Injectable()
export class SignInAttemptsRepository {
  constructor(@InjectModel(SignInAttempts.name) private readonly attempts: Model<SignInAttempts>) {}

  /** Of these keys, those whose window has not ended. */
  async findAll(keys: readonly string[], now: Date): Promise<Map<string, SignInAttempts>> {
    const found = await this.attempts
      .find({ _id: { $in: keys }, resets_at: { $gt: now } })
      .lean<SignInAttempts[]>();
    return new Map(found.map((attempts) => [attempts._id, attempts]));
  }

  /**
   * Counts an attempt before it is made, so that guesses made at once are all counted. The first one begins a
   * window, which ends `windowMs` later whatever comes in it.
   *
   * @param after count only if so many were counted before
   * @returns null if there were others
   */
  count(key: string, now: Date, windowMs: number, after?: number): Promise<SignInAttempts | null> {
    const counting = { $gt: ['$resets_at', now] };
    const window = {
      count: { $cond: [counting, { $add: ['$count', 1] }, 1] },
      last_at: now,
      resets_at: { $cond: [counting, '$resets_at', new Date(now.getTime() + windowMs)] },
    };
    const filter = after === undefined ? { _id: key } : { _id: key, count: after };
    return this.attempts
      .findOneAndUpdate(filter, [{ $set: window }], {
        upsert: after === undefined,
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<SignInAttempts>();
  }

  /** The attempt was no guess. */
  async uncount(keys: string[]): Promise<void> {
    await this.attempts.updateMany({ _id: { $in: keys }, count: { $gt: 0 } }, { $inc: { count: -1 } });
  }

  async forget(key: string): Promise<void> {
    await this.attempts.deleteOne({ _id: key });
  }

  /** @param prefix such as `email:SHA-256`: the account's attempts, and those from each address */
  async forgetStartingWith(prefix: string): Promise<void> {
    await this.attempts.deleteMany({ _id: { $gte: prefix, $lt: `${prefix}\uffff` } });
  }
}
