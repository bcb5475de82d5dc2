import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Contact } from './contact.schema.js';

/** Every query on `contacts`. */
@Injectable()
export class ContactsRepository {
  constructor(@InjectModel(Contact.name) private readonly contacts: Model<Contact>) {}

  /** Writes the whole contact, new or not. */
  async put({ _id, ...contact }: Contact): Promise<void> {
    await this.contacts.replaceOne({ _id }, contact, { upsert: true });
  }

  findByUser(userId: string): Promise<Contact | null> {
    return this.contacts.findById(userId).lean<Contact>();
  }

  findByUsers(userIds: string[]): Promise<Contact[]> {
    return this.contacts.find({ _id: { $in: userIds } }).lean<Contact[]>();
  }

  async delete(userId: string): Promise<boolean> {
    return (await this.contacts.deleteOne({ _id: userId })).deletedCount === 1;
  }
}
