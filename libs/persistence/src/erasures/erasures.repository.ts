import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';

/** The erasure of a person: its progress, and afterwards its receipt. It contains the person's pseudonym only. */
@Schema({ collection: 'erasures', versionKey: false, autoIndex: false, autoCreate: false, minimize: false })
export class Erasure {
  /** The pseudonym. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Date, required: true })
  requested_at: Date;

  /** The name of who asked for it. */
  @Prop({ type: String, required: true })
  requested_by: string;

  /** The bottles that were the person's when the erasure began; each is erased, or has been. */
  @Prop({ type: [Types.ObjectId], default: [] })
  bottle_ids: Types.ObjectId[];

  /** The documents erased so far, by what they belong to (a bottle's id, or `person`) and kind. */
  @Prop({ type: Object, default: {} })
  counts: Record<string, Record<string, number>>;

  /** When everything was erased; absent until then. */
  @Prop({ type: Date })
  erased_at?: Date;
}

export const ErasureSchema = SchemaFactory.createForClass(Erasure);

/** Every query on `erasures`. */
@Injectable()
export class ErasuresRepository {
  constructor(@InjectModel(Erasure.name) private readonly erasures: Model<Erasure>) {}

  findById(pseudonym: string): Promise<Erasure | null> {
    return this.erasures.findById(pseudonym).lean<Erasure>();
  }

  /**
   * Begins an erasure, or continues one that was interrupted.
   *
   * @param bottleIds the person's bottles: noted, because an interrupted erasure does not find them again
   */
  async begin(pseudonym: string, at: Date, by: string, bottleIds: Types.ObjectId[]): Promise<Erasure> {
    return this.erasures
      .findOneAndUpdate(
        { _id: pseudonym },
        {
          $set: { requested_at: at, requested_by: by },
          $addToSet: { bottle_ids: { $each: bottleIds } },
          $unset: { erased_at: true },
        },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<Erasure>();
  }

  /**
   * Keeps how many documents are about to be erased. Of what is counted again after an interruption, the most counts.
   *
   * @param of a bottle's id, or `person`
   */
  async count(pseudonym: string, of: string, counts: Record<string, number>): Promise<void> {
    const $max = Object.fromEntries(
      Object.entries(counts).map(([kind, count]) => [`counts.${of}.${kind}`, count]),
    );
    await this.erasures.updateOne({ _id: pseudonym }, { $max });
  }

  finish(pseudonym: string, at: Date): Promise<Erasure | null> {
    return this.erasures
      .findByIdAndUpdate(pseudonym, { $set: { erased_at: at } }, { returnDocument: 'after' })
      .lean<Erasure>();
  }

  /** Whether the person's erasure was asked for at or after `at`. */
  async existsSince(pseudonym: string, at: Date): Promise<boolean> {
    return (await this.erasures.exists({ _id: pseudonym, requested_at: { $gte: at } })) !== null;
  }
}
