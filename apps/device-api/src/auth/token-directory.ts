import { type Clock, GroupCommit, LruMap, Problem } from '#platform';

/** Where tokens are looked up, a group at a time. By hash; a token that is not there is missing. */
export interface TokenSource<Client> {
  find(hashes: string[]): Promise<Map<string, Client>>;
  findRevoked(hashes: string[]): Promise<Set<string>>;
}

/** Whom a token speaks for, and how often it has spoken lately. */
export interface Caller<Client> {
  client: Client;
  /** Requests in the present window of the rate limit, which ends at `windowEnds` (epoch milliseconds). */
  requests: number;
  windowEnds: number;
  /** When the database said so. Epoch milliseconds. */
  asked: number;
}

type Refusal = 'unknown' | 'revoked';

export const REFUSED_FOR_MS = 15_000;
/** About 50 MB of callers. */
const MOST_KNOWN = 100_000;
const MOST_REFUSED = 10_000;
const LOOKUPS = { group: 1_000, queued: 10_000, inFlight: 2 };

/** Says for how long an answer of the database is believed. */
export interface Validity {
  /** Whether what was answered at `asked` still holds at `now`. Epoch milliseconds. */
  holds(asked: number, now: number): boolean;
}

/**
 * Knows whom a token speaks for, mostly without asking the database. What must be asked is asked in groups, and
 * refusals are remembered too, so that neither a fleet that comes back nor a flood of bad tokens costs a query a
 * request.
 */
export class TokenDirectory<Client> {
  private readonly known = new LruMap<string, Caller<Client>>(MOST_KNOWN);
  /** Tokens are drawn at random when they are registered: one that was refused does not become a good one. */
  private readonly refused = new LruMap<string, { why: Refusal; until: number }>(MOST_REFUSED);
  private readonly lookups = new GroupCommit((hashes: string[]) => this.lookUp(hashes), LOOKUPS);

  constructor(
    private readonly source: TokenSource<Client>,
    private readonly validity: Validity,
    private readonly clock: Clock,
  ) {}

  /** Knows nothing more of these clients. */
  protected forget(isMeant: (client: Client) => boolean): void {
    this.known.deleteWhere(({ client }) => isMeant(client));
  }

  /** @throws Problem 401, or whatever kept the database from answering. */
  identify(hash: string): Caller<Client> | Promise<Caller<Client>> {
    const now = this.clock.now().getTime();
    const caller = this.known.get(hash);
    if (caller && this.validity.holds(caller.asked, now)) return caller;
    const refusal = this.refused.get(hash);
    if (refusal && refusal.until > now) throw refused(refusal.why);
    return this.ask(hash);
  }

  private async ask(hash: string): Promise<Caller<Client>> {
    const asked = this.clock.now().getTime();
    const [answer] = await this.lookups.add([hash]);
    if (typeof answer === 'string') {
      this.known.delete(hash);
      this.refused.set(hash, { why: answer, until: asked + REFUSED_FOR_MS });
      throw refused(answer);
    }
    const caller = this.known.get(hash);
    if (caller) return Object.assign(caller, { client: answer!.client, asked });
    const fresh = { client: answer!.client, asked, requests: 0, windowEnds: 0 };
    this.known.set(hash, fresh);
    return fresh;
  }

  private async lookUp(hashes: string[]): Promise<({ client: Client } | Refusal)[]> {
    const found = await this.source.find(hashes);
    const missing = hashes.filter((hash) => !found.has(hash));
    const revoked = missing.length === 0 ? new Set() : await this.source.findRevoked(missing);
    return hashes.map((hash) => {
      const client = found.get(hash);
      if (client) return { client };
      return revoked.has(hash) ? 'revoked' : 'unknown';
    });
  }
}

function refused(why: Refusal): Problem {
  return why === 'revoked'
    ? new Problem(401, 'token_revoked', 'This token was replaced; use the new one.')
    : new Problem(401, 'token_unknown', 'Nobody has this token.');
}
