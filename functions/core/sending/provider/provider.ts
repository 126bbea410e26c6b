import type { Written, WrittenEmail } from '../../../../shared/email/email.ts';
import type { Region } from '../../../../shared/list.ts';

/** What a provider is called with for a list. */
export type Access = { key: string; domain: string; region: Region };

/** An email to one person. Of many emails, those with the same content share its sections. */
export type OutgoingEmail = WrittenEmail & {
  to: string;
  from: string;
  headers: Record<string, string>;
  /** What the provider calls it by in its events; a test email has no such name. */
  id?: string;
};

export type { Written };

/** What became of an email. */
export type Outcome =
  | { kind: 'accepted'; provider_id: string }
  /** It was not sent, and never will be. */
  | { kind: 'refused' }
  /** It may have been sent. */
  | { kind: 'unknown' }
  | NotSent;

/** It was certainly not sent, and may be tried again, after so many seconds at least. */
export type NotSent = {
  kind: 'not_sent';
  /** `denied`: the key does not hold for the domain; `interrupted`: `mayContinue` said no. */
  reason: 'denied' | 'throttled' | 'unreachable' | 'interrupted';
  seconds: number;
};

/** Whether a key holds for its domain; undefined where the provider gave no clear answer. */
export type Verdict = { valid: boolean | undefined; message: string };

/** What an event of a provider says of an email. All but `rejected` also show that the provider had accepted it. */
export type Meaning = 'hard' | 'soft' | 'complaint' | 'unsubscribed' | 'accepted' | 'rejected';

export type ProviderEvent = {
  meaning: Meaning;
  /** The `id` of the email. */
  send: string;
  /** What the other mail server said. */
  reason: string;
};

export type SignedEvent = {
  isSignedWith: (key: string) => boolean;
  /** Undefined where it says nothing that is noted, or is about no email of ours. */
  event: ProviderEvent | undefined;
};

/** What takes emails, and says of each what became of it. */
export type Provider = {
  /** How many emails one call of `post` takes. */
  most: number;
  /** Posts each email at most once, in as few requests as possible, and asks before each whether it may. It never throws. */
  post: (access: Access, emails: OutgoingEmail[], mayContinue: () => Promise<boolean>) => Promise<Outcome[]>;
  /** Asks whether the key holds, without sending anything. */
  probe: (access: Access) => Promise<Verdict>;
  /** Undefined where it is no event with a signature of the last minutes. */
  readEvent: (body: unknown, now: Date) => SignedEvent | undefined;
};
