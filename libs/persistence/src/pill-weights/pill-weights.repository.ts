import { derivedMessageId } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';

/** What one bottle's weighings say of one pill. */
export interface PillSample {
  /** Names the bottle, by a hash: which bottles are kept is then left to chance, and the same for everybody. */
  key: string;
  /** Grams, of one pill. */
  mass: number;
  /** The last weighing that went into it. */
  time: Date;
}

/** What bottles say of the pills of one medication. A sample: it does not grow with the fleet. */
@Schema({ collection: 'pill_weights', versionKey: false, autoIndex: false, autoCreate: false })
export class PillWeights {
  /** The medication. */
  @Prop({ type: String })
  _id: string;

  /** At most {@link MOST_PILL_SAMPLES}, one per bottle: those with the smallest keys of all that ever reported. */
  @Prop({ type: [Object], required: true })
  samples: PillSample[];
}

export const MOST_PILL_SAMPLES = 50;

export const PillWeightsSchema = SchemaFactory.createForClass(PillWeights);

/** What medications' pills weigh: every query on `pill_weights`. */
@Injectable()
export class PillWeightsRepository {
  constructor(@InjectModel(PillWeights.name) private readonly weights: Model<PillWeights>) {}

  /** What is known of these medications, by medication. */
  async findByMedications(medications: string[]): Promise<Map<string, PillSample[]>> {
    const found = await this.weights.find({ _id: { $in: medications } }).lean<PillWeights[]>();
    return new Map(found.map(({ _id, samples }) => [_id, samples]));
  }

  /** Whether a bottle is one of those that are asked, given those that were: in a large fleet nearly none is. */
  asks(bottleId: Types.ObjectId, samples: readonly PillSample[]): boolean {
    const last = samples[MOST_PILL_SAMPLES - 1];
    return last === undefined || keyOf(bottleId) <= last.key;
  }

  /**
   * Adds a bottle's sample, in place of its previous one unless that is newer. The samples with the smallest keys are
   * kept, so order and repetition do not matter.
   *
   * @returns what is known of the medication then
   */
  async learn(
    medication: string,
    bottleId: Types.ObjectId,
    reported: Omit<PillSample, 'key'>,
  ): Promise<PillSample[]> {
    const sample: PillSample = { key: keyOf(bottleId), ...reported };
    const known = { $ifNull: ['$samples', []] };
    const isOurs = { $eq: ['$$this.key', sample.key] };
    const ours = {
      $filter: { input: known, cond: { $and: [isOurs, { $gte: ['$$this.time', sample.time] }] } },
    };
    const others = { $filter: { input: known, cond: { $not: [isOurs] } } };
    const newest = { $cond: [{ $eq: [{ $size: ours }, 0] }, [sample], ours] };
    const all = { $sortArray: { input: { $concatArrays: [others, newest] }, sortBy: { key: 1 } } };
    const after = await this.weights
      .findOneAndUpdate({ _id: medication }, [{ $set: { samples: { $slice: [all, MOST_PILL_SAMPLES] } } }], {
        upsert: true,
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<PillWeights>();
    return after.samples;
  }

  /** A bottle's samples, one for each medication that it contained. */
  async findOfBottle(bottleId: Types.ObjectId): Promise<{ medication: string; mass: number; time: Date }[]> {
    const key = keyOf(bottleId);
    const found = await this.weights
      .find({ 'samples.key': key }, { samples: { $elemMatch: { key } } })
      .lean<PillWeights[]>();
    return found.flatMap(({ _id: medication, samples }) =>
      samples.map(({ mass, time }) => ({ medication, mass, time })),
    );
  }

  /** Deletes a bottle's samples; part of erasing the bottle. */
  async deleteOfBottle(bottleId: Types.ObjectId): Promise<void> {
    const key = keyOf(bottleId);
    await this.weights.updateMany({ 'samples.key': key }, { $pull: { samples: { key } } });
  }
}

function keyOf(bottleId: Types.ObjectId): string {
  return derivedMessageId('pill-weight', bottleId.toHexString());
}
