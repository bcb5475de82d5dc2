import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { mongo, type Model, Types } from 'mongoose';
import { type Role, ROLES } from '../api-keys/api-keys.repository.js';

/** A person who signs in to the console. */
@Schema({ collection: 'staff', versionKey: false, autoIndex: false, autoCreate: false })
export class StaffAccount {
  _id: Types.ObjectId;

  /** Lower case: what the person signs in with. */
  @Prop({ type: String, required: true })
  email: string;

  /** Stands in the history of what the person does. */
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true, enum: ROLES })
  role: Role;

  /** argon2id, in its own textual form. */
  @Prop({ type: String, required: true })
  password_hash: string;

  /** May not sign in any more. */
  @Prop({ type: Boolean })
  disabled?: true;

  /** From which networks the person has signed in lately: guesses from elsewhere do not slow them down there. */
  @Prop({ type: [String], default: undefined })
  networks?: string[];

  @Prop({ type: Date, required: true })
  created_at: Date;
}

export const StaffAccountSchema = SchemaFactory.createForClass(StaffAccount);

// Signing in; and one account an address.
StaffAccountSchema.index({ email: 1 }, { name: 'one_email', unique: true });

/** What an admin may change of an account. */
export type StaffChange = Partial<Pick<StaffAccount, 'name' | 'role' | 'password_hash'>> & {
  disabled?: boolean;
};

const DUPLICATE_KEY = 11_000;
const NETWORKS_KEPT = 10;

/** Every query on `staff`. */
@Injectable()
export class StaffRepository {
  constructor(@InjectModel(StaffAccount.name) private readonly staff: Model<StaffAccount>) {}

  /** @returns false when the e-mail has an account already. */
  async insert(account: StaffAccount): Promise<boolean> {
    try {
      await this.staff.create(account);
      return true;
    } catch (error) {
      if (error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  findByEmail(email: string): Promise<StaffAccount | null> {
    return this.staff.findOne({ email }).lean<StaffAccount>();
  }

  findById(id: Types.ObjectId): Promise<StaffAccount | null> {
    return this.staff.findById(id).lean<StaffAccount>();
  }

  /** Whether there is an admin who may sign in. */
  async adminExists(): Promise<boolean> {
    return (await this.staff.exists({ role: 'admin', disabled: { $ne: true } })) !== null;
  }

  async hasSignedInFrom(email: string, network: string): Promise<boolean> {
    return (await this.staff.exists({ email, networks: network })) !== null;
  }

  /** Remembers a network for {@link hasSignedInFrom}; the oldest ones are forgotten. */
  async addNetwork(email: string, network: string): Promise<void> {
    await this.staff.updateOne(
      { email, networks: { $ne: network } },
      { $push: { networks: { $each: [network], $slice: -NETWORKS_KEPT } } },
    );
  }

  /** Everyone, oldest first. */
  findAll(): Promise<StaffAccount[]> {
    return this.staff.find().sort({ _id: 1 }).lean<StaffAccount[]>();
  }

  /** @returns the account as it is then; null when there is none. */
  update(id: Types.ObjectId, { disabled, ...change }: StaffChange): Promise<StaffAccount | null> {
    const update = {
      $set: { ...change, ...(disabled ? { disabled: true } : {}) },
      ...(disabled === false ? { $unset: { disabled: '' } } : {}),
    };
    return this.staff.findByIdAndUpdate(id, update, { returnDocument: 'after' }).lean<StaffAccount>();
  }
}
