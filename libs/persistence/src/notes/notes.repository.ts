import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';

/** What a member of staff wrote down about a person, or about one of their bottles. It is not changed afterwards. */
@Schema({ collection: 'notes', versionKey: false, autoIndex: false, autoCreate: false })
export class Note {
  _id: Types.ObjectId;

  /** Whom it is about: of a bottle, its owner at that time. */
  @Prop({ type: String, required: true })
  user_id: string;

  /** Absent if it is about the person. */
  @Prop({ type: Types.ObjectId })
  bottle_id?: Types.ObjectId;

  @Prop({ type: String, required: true })
  text: string;

  /** The name of the staff member or API key. */
  @Prop({ type: String, required: true })
  by: string;

  @Prop({ type: Date, required: true })
  at: Date;
}

export const NoteSchema = SchemaFactory.createForClass(Note);

// A person's notes, newest first: ids ascend with time.
NoteSchema.index({ user_id: 1, _id: -1 }, { name: 'by_user' });

/** Every query on `notes`. */
@Injectable()
export class NotesRepository {
  constructor(@InjectModel(Note.name) private readonly notes: Model<Note>) {}

  async add(note: Note): Promise<void> {
    await this.notes.create(note);
  }

  /** The notes about a person and their bottles, newest first. */
  findOfUser(userId: string, limit: number): Promise<Note[]> {
    return this.notes.find({ user_id: userId }).sort({ _id: -1 }).limit(limit).lean<Note[]>();
  }

  /** False if the person has no such note. */
  async delete(userId: string, id: Types.ObjectId): Promise<boolean> {
    return (await this.notes.deleteOne({ _id: id, user_id: userId })).deletedCount === 1;
  }

  /** All notes about a person and their bottles, oldest first, read as they are taken; or only those of one bottle. */
  ofUser(userId: string, bottleId?: Types.ObjectId): AsyncIterable<Note> {
    return this.notes.collection
      .find<Note>({ user_id: userId, ...(bottleId && { bottle_id: bottleId }) })
      .sort({ _id: 1 });
  }

  /** @param until leaves out those that were written later */
  countOfUser(userId: string, until?: Date): Promise<number> {
    return this.notes.countDocuments(aboutUser(userId, until));
  }

  /** @param until leaves those that were written later */
  async deleteOfUser(userId: string, until?: Date): Promise<void> {
    await this.notes.deleteMany(aboutUser(userId, until));
  }

  /** Every user with a note, once or more, as it is taken. */
  async *users(): AsyncGenerator<string> {
    const found = this.notes.collection.find<{ user_id: string }>({}, { projection: { user_id: 1 } });
    for await (const { user_id } of found) yield user_id;
  }

  /** @param owners everybody whose the bottle is or was */
  countOfBottle(bottleId: Types.ObjectId, owners: string[]): Promise<number> {
    return this.notes.countDocuments(ofBottle(bottleId, owners));
  }

  /** @param owners everybody whose the bottle is or was */
  async deleteOfBottle(bottleId: Types.ObjectId, owners: string[]): Promise<void> {
    await this.notes.deleteMany(ofBottle(bottleId, owners));
  }
}

function aboutUser(userId: string, until: Date | undefined): object {
  return { user_id: userId, ...(until && { at: { $lte: until } }) };
}

function ofBottle(bottleId: Types.ObjectId, owners: string[]): object {
  return { user_id: { $in: owners }, bottle_id: bottleId };
}
