import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

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
