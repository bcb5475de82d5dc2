import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

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

  /** At most {@link MOST_PILL_SAMPLES}, one a bottle: those with the smallest keys of all that ever said something. */
  @Prop({ type: [Object], required: true })
  samples: PillSample[];
}

export const MOST_PILL_SAMPLES = 50;

export const PillWeightsSchema = SchemaFactory.createForClass(PillWeights);
