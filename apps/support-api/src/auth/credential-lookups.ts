import { type ApiKey, ApiKeysRepository, type StaffSession, StaffSessionsRepository } from '#persistence';
import { Clock, GroupCommit } from '#platform';
import { Injectable } from '@nestjs/common';

/** Whoever sends tokens, wrong ones too, has no more than so many commands of the database in progress. */
const LIMITS = { group: 1_000, queued: 10_000, inFlight: 2 };

/**
 * Finds API keys and sessions by the hashes of their tokens, a group at a time: many requests at once, of known callers
 * or of strangers, do not take the connections to the database from others.
 */
@Injectable()
export class CredentialLookups {
  private readonly keyGroups = new GroupCommit<string, ApiKey | undefined>(async (hashes) => {
    const found = new Map((await this.keys.findByHashes(hashes)).map((key) => [key.key_hash, key]));
    return hashes.map((hash) => found.get(hash));
  }, LIMITS);

  private readonly sessionGroups = new GroupCommit<string, StaffSession | undefined>(async (hashes) => {
    const sessions = await this.sessions.findByTokens(hashes, this.clock.now());
    const found = new Map(sessions.map((session) => [session.token_hash, session]));
    return hashes.map((hash) => found.get(hash));
  }, LIMITS);

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly clock: Clock,
  ) {}

  /** @param turn lookups with the same one take turns with all others */
  async key(hash: string, turn: string): Promise<ApiKey | undefined> {
    return (await this.keyGroups.add([hash], turn))[0];
  }

  /** @param turn as of {@link key}. @returns undefined if it has expired */
  async session(hash: string, turn: string): Promise<StaffSession | undefined> {
    return (await this.sessionGroups.add([hash], turn))[0];
  }
}
