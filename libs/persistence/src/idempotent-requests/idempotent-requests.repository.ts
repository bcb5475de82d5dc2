import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { isDuplicateKey } from '../database/duplicate-key.js';
import { inTransaction } from '../database/transaction.js';

/** A request with an Idempotency-Key that was carried out, and its response. */
@Schema({ collection: 'idempotent_requests', versionKey: false, autoIndex: false, autoCreate: false })
export class IdempotentRequest {
  /** Derived from the key and the credential that sent it; neither is stored. */
  @Prop({ type: String })
  _id: string;

  /** A keyed hash of the method, the address and the body. */
  @Prop({ type: String, required: true })
  request_hash: string;

  /** Encrypted (`seal`): it may have a token, which is stored nowhere. */
  @Prop({ type: String })
  response?: string;

  @Prop({ type: Date, required: true })
  expires_at: Date;
}

export const IdempotentRequestSchema = SchemaFactory.createForClass(IdempotentRequest);

// Requests whose key is no longer kept.
IdempotentRequestSchema.index({ expires_at: 1 }, { name: 'ttl', expireAfterSeconds: 0 });

/** Every query on `idempotent_requests`. */
@Injectable()
export class IdempotentRequestsRepository {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel(IdempotentRequest.name) private readonly requests: Model<IdempotentRequest>,
  ) {}

  find(id: string): Promise<IdempotentRequest | null> {
    return this.requests.findById(id).lean<IdempotentRequest>();
  }

  /**
   * Carries out a request and records it, in one transaction: after a crash both are there or neither. A second one
   * with the same id waits for the first.
   *
   * @param work returns the response to record; it is repeated if the transaction is
   * @returns false if the request was carried out before
   */
  async carryOut(request: IdempotentRequest, work: () => Promise<string>): Promise<boolean> {
    try {
      await inTransaction(this.connection, async () => {
        await this.requests.insertMany([request]);
        const response = await work();
        await this.requests.updateOne({ _id: request._id }, { $set: { response } });
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error) && (await this.find(request._id))) return false;
      throw error;
    }
  }
}
