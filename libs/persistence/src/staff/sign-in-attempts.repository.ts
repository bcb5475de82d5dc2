import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Model } from 'mongoose';

/** How often someone has tried to sign in to one account, or from one address, in the present window. */
@Schema({ collection: 'sign_in_attempts', versionKey: false, autoIndex: false, autoCreate: false })
export class SignInAttempts {
  /** `account:SHA-256` or `address:IP`: what is typed into the field of the e-mail may be a password. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Number, required: true })
  count: number;

  @Prop({ type: Date, required: true })
  resets_at: Date;
}

export const SignInAttemptsSchema = SchemaFactory.createForClass(SignInAttempts);

// Windows that are over, to delete them.
SignInAttemptsSchema.index({ resets_at: 1 }, { name: 'over' });

/** Every query on `sign_in_attempts`. */
@Injectable()
export class SignInAttemptsRepository {
  constructor(@InjectModel(SignInAttempts.name) private readonly attempts: Model<SignInAttempts>) {}

  /**
   * Counts an attempt before it is made, so that guesses made at once are all counted. The first one begins a
   * window, which ends `windowMs` later whatever comes in it.
   */
  async count(
    key: string,
    now: Date,
    windowMs: number,
  ): Promise<Pick<SignInAttempts, 'count' | 'resets_at'>> {
    const counting = { $gt: ['$resets_at', now] };
    const window = {
      count: { $cond: [counting, { $add: ['$count', 1] }, 1] },
      resets_at: { $cond: [counting, '$resets_at', new Date(now.getTime() + windowMs)] },
    };
    const found = await this.attempts
      .findOneAndUpdate({ _id: key }, [{ $set: window }], {
        upsert: true,
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<SignInAttempts>();
    return found;
  }

  /** The attempt was no guess. */
  async uncount(key: string): Promise<void> {
    await this.attempts.updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } });
  }

  async forget(key: string): Promise<void> {
    await this.attempts.deleteOne({ _id: key });
  }

  async deleteOver(now: Date): Promise<void> {
    await this.attempts.deleteMany({ resets_at: { $lte: now } });
  }
}
