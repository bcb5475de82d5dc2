import { type Language, LANGUAGES } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, type Model, Types } from 'mongoose';
import { type Role, ROLES } from '../api-keys/api-keys.repository.js';
import type { Browser } from '../contacts/addresses.js';
import { isDuplicateKey } from '../database/duplicate-key.js';
import { inTransaction } from '../database/transaction.js';

/** What a person's authenticator app knows, and what replaces it. */
export interface SecondFactor {
  /** Of the app, encrypted with SECOND_FACTOR_KEY. */
  secret: string;
  /** The time step of the last code, which is not accepted again. Steps of 30 s since 1970. */
  last_step: number;
  /** SHA-256 of the account's id and each recovery code that is left, hex: 99 random bits need no slow hash. */
  recovery_hashes: string[];
  since: Date;
}

/** A list of bottles as a person has named it. It holds nothing about a patient. */
export interface SavedView {
  name: string;
  status?: string;
  medication?: string;
  sort?: string;
  /** What the list shows, in the console's names. */
  columns: string[];
}

/** A browser that shows a member of staff what the operator is sent. */
export interface StaffBrowser extends Browser {
  /** What it calls itself: `Firefox, Windows`. */
  name: string;
}

/** A member of staff who has such browsers. */
export type StaffWithBrowsers = Pick<StaffAccount, '_id' | 'language'> & { push_browsers: StaffBrowser[] };

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

  /** Someone else has chosen the password. */
  @Prop({ type: Boolean })
  must_change_password?: true;

  /** Of a password that an admin has given: until then, the person signs in and chooses another. */
  @Prop({ type: Date })
  password_expires_at?: Date;

  @Prop({ type: Object })
  second_factor?: SecondFactor;

  /** May not sign in any more. */
  @Prop({ type: Boolean })
  disabled?: true;

  /** From which networks the person has signed in lately: guesses from elsewhere do not slow them down there. */
  @Prop({ type: [String], default: undefined })
  networks?: string[];

  /** Of the browser with which the person has signed in last: their mails are in it. */
  @Prop({ type: String, enum: LANGUAGES })
  language?: Language;

  /** How often the person has changed accounts, as an admin. */
  @Prop({ type: Number })
  changes_made?: number;

  /** In the order in which they were saved. */
  @Prop({ type: [Object], default: undefined })
  views?: SavedView[];

  /** Absent without any. */
  @Prop({ type: [Object], default: undefined })
  push_browsers?: StaffBrowser[];

  @Prop({ type: Date, required: true })
  created_at: Date;
}

export const StaffAccountSchema = SchemaFactory.createForClass(StaffAccount);

// Signing in; and one account an address.
StaffAccountSchema.index({ email: 1 }, { name: 'one_email', unique: true });
// The accounts whose browsers show messages, every second.
StaffAccountSchema.index(
  { 'push_browsers.endpoint': 1 },
  { name: 'with_browsers', partialFilterExpression: { 'push_browsers.endpoint': { $exists: true } } },
);

/** What an admin may change of an account. */
export type StaffChange = Partial<Pick<StaffAccount, 'name' | 'role' | 'password_hash'>> & {
  disabled?: boolean;
  must_change_password?: boolean;
  password_expires_at?: Date | false;
};

const NETWORKS_KEPT = 10;

/** Whoever had the account, or the device, sees nothing more of it. */
const NO_BROWSERS = { push_browsers: '' };

/** Every query on `staff`. */
@Injectable()
export class StaffRepository {
  constructor(
    @InjectModel(StaffAccount.name) private readonly staff: Model<StaffAccount>,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  /** @returns false when the e-mail has an account already. */
  async insert(account: StaffAccount): Promise<boolean> {
    try {
      await this.staff.create(account);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** The admins who can sign in. */
  findActiveAdmins(): Promise<StaffAccount[]> {
    return this.staff.find({ role: 'admin', disabled: { $ne: true } }).lean<StaffAccount[]>();
  }

  findByEmail(email: string): Promise<StaffAccount | null> {
    return this.staff.findOne({ email }).lean<StaffAccount>();
  }

  findById(id: Types.ObjectId): Promise<StaffAccount | null> {
    return this.staff.findById(id).lean<StaffAccount>();
  }

  /** Whether there is an admin who may sign in. */
  async adminExists(now: Date): Promise<boolean> {
    const admins = this.staff.exists({
      role: 'admin',
      disabled: { $ne: true },
      password_expires_at: { $not: { $lte: now } },
    });
    return (await admins) !== null;
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

  /** Remembers in which language a person reads. */
  async setLanguage(id: Types.ObjectId, language: Language): Promise<void> {
    await this.staff.updateOne({ _id: id, language: { $ne: language } }, { $set: { language } });
  }

  /** The names of these accounts, by id in hex. */
  async findNames(ids: Types.ObjectId[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.staff
      .find({ _id: { $in: ids } }, { name: 1 })
      .lean<Pick<StaffAccount, '_id' | 'name'>[]>();
    return new Map(found.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /** Everyone, oldest first. */
  findAll(): Promise<StaffAccount[]> {
    return this.staff.find().sort({ _id: 1 }).lean<StaffAccount[]>();
  }

  /**
   * {@link update} by an admin who must still be one: two who change each other at once would write the same two
   * accounts, and the later one finds that it is no admin any more.
   */
  updateAs(
    admin: Types.ObjectId,
    id: Types.ObjectId,
    change: StaffChange,
  ): Promise<StaffAccount | 'no_admin' | null> {
    return inTransaction(this.connection, async () => {
      const isAdmin = { _id: admin, role: 'admin', disabled: { $ne: true } } as const;
      const { matchedCount } = await this.staff.updateOne(isAdmin, { $inc: { changes_made: 1 } });
      return matchedCount === 1 ? this.update(id, change) : 'no_admin';
    });
  }

  /**
   * An account that is disabled, or whose password another chooses, has no browsers any more.
   *
   * @returns the account as it is then; null when there is none.
   */
  update(id: Types.ObjectId, change: StaffChange): Promise<StaffAccount | null> {
    const fields = Object.entries(change);
    const isTakenOver = change.disabled || change.must_change_password;
    const update = {
      $set: Object.fromEntries(fields.filter(([, value]) => value !== false)),
      $unset: {
        // what is false is not stored
        ...Object.fromEntries(fields.filter(([, value]) => value === false).map(([name]) => [name, ''])),
        ...(isTakenOver && NO_BROWSERS),
      },
    };
    return this.staff.findByIdAndUpdate(id, update, { returnDocument: 'after' }).lean<StaffAccount>();
  }

  /** Saves a view in place of one with its name. @returns false if there are `most` others */
  async putView(id: Types.ObjectId, view: SavedView, most: number): Promise<boolean> {
    // one step, so that of two that are saved at once neither is lost
    const others = {
      $filter: {
        input: { $ifNull: ['$views', []] },
        cond: { $ne: ['$$this.name', { $literal: view.name }] },
      },
    };
    const { matchedCount } = await this.staff.updateOne(
      { _id: id, $expr: { $lt: [{ $size: others }, most] } },
      [{ $set: { views: { $concatArrays: [others, [{ $literal: view }]] } } }],
      { updatePipeline: true },
    );
    return matchedCount === 1;
  }

  /** @returns false if there is none with this name */
  async deleteView(id: Types.ObjectId, name: string): Promise<boolean> {
    const { modifiedCount } = await this.staff.updateOne({ _id: id }, { $pull: { views: { name } } });
    return modifiedCount === 1;
  }

  /**
   * Adds a browser, or replaces what is known of it. It shows the messages of one account: it is no other's any more.
   *
   * @returns false if the account has `most` others
   */
  addBrowser(id: Types.ObjectId, browser: StaffBrowser, most: number): Promise<boolean> {
    const { endpoint } = browser;
    return inTransaction(this.connection, async () => {
      const without = { $pull: { push_browsers: { endpoint } } };
      await this.staff.updateOne({ _id: id }, without);
      const { modifiedCount } = await this.staff.updateOne(
        { _id: id, [`push_browsers.${most - 1}`]: { $exists: false } },
        { $push: { push_browsers: browser } },
      );
      if (modifiedCount === 0) return false;
      await this.staff.updateMany({ _id: { $ne: id }, 'push_browsers.endpoint': endpoint }, without);
      return true;
    });
  }

  /** @returns whether there was one */
  async removeBrowsers(id: Types.ObjectId, endpoints: readonly string[]): Promise<boolean> {
    const { modifiedCount } = await this.staff.updateOne(
      { _id: id },
      { $pull: { push_browsers: { endpoint: { $in: endpoints } } } },
    );
    return modifiedCount === 1;
  }

  /** Who may sign in and has browsers that show messages. */
  findWithBrowsers(): Promise<StaffWithBrowsers[]> {
    return this.staff
      .find(
        { 'push_browsers.endpoint': { $exists: true }, disabled: { $ne: true } },
        { language: 1, push_browsers: 1 },
      )
      .sort({ _id: 1 })
      .lean<StaffWithBrowsers[]>();
  }

  /** @param factor none: the person, whose device may be lost, signs in without until they set up another */
  async setSecondFactor(id: Types.ObjectId, factor: SecondFactor | undefined): Promise<boolean> {
    const update = factor
      ? { $set: { second_factor: factor } }
      : { $unset: { second_factor: '', ...NO_BROWSERS } };
    return (await this.staff.updateOne({ _id: id }, update)).matchedCount === 1;
  }

  /** Accepts a code's time step. @returns false if it or a later one was accepted before. */
  async useTotpStep(id: Types.ObjectId, step: number): Promise<boolean> {
    const unused = { _id: id, 'second_factor.last_step': { $lt: step } };
    const { modifiedCount } = await this.staff.updateOne(unused, {
      $set: { 'second_factor.last_step': step },
    });
    return modifiedCount === 1;
  }

  /** Accepts a recovery code. @returns false if there is none, or none left, with this hash. */
  async useRecoveryCode(id: Types.ObjectId, hash: string): Promise<boolean> {
    const unused = { _id: id, 'second_factor.recovery_hashes': hash };
    const { modifiedCount } = await this.staff.updateOne(unused, {
      $pull: { 'second_factor.recovery_hashes': hash },
    });
    return modifiedCount === 1;
  }
}
