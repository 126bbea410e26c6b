import type { Written, WrittenEmail } from '#shared/email/email.ts';
import type { Region } from '#shared/list.ts';
import type { ProviderName } from '#shared/providers.ts';

export type Access = {
  organization: number;
  domain: string;
  /** Of a provider that asks for one. */
  key?: string | undefined;
  region: Region;
  /** The provider takes emails, and delivers none. */
  testMode?: boolean;
  /** At most so many emails a second, of all calls of this process. */
  perSecond?: number | undefined;
};

/** To one person. Of many emails, those with the same content share its sections. */
export type OutgoingEmail = WrittenEmail & {
  to: string;
  from: string;
  headers: Record<string, string>;
  /** Its id in the provider's events; a test email has none. */
  id?: string;
};

export type { Written };

export type Outcome =
  /** Of a provider that has one for all emails of a request. */
  | { kind: 'accepted'; provider_id?: string }
  /** It was not sent, and never will be. */
  | { kind: 'refused' }
  /** It may have been sent. */
  | { kind: 'unknown' }
  | NotSent;

/** It was certainly not sent, and may be retried after this many seconds. */
export type NotSent = {
  kind: 'not_sent';
  /** `denied`: the key is not valid for the domain; `interrupted`: `mayContinue` returned false. */
  reason: 'denied' | 'throttled' | 'unreachable' | 'interrupted';
  seconds: number;
};

/** Undefined if the provider gave no clear answer. */
export type Verdict = { valid: boolean | undefined; message: string };

/** All but `rejected` also show that the provider had accepted the email. */
export type Meaning = 'hard' | 'soft' | 'complaint' | 'unsubscribed' | 'accepted' | 'delivered' | 'rejected';

export type ProviderEvent = {
  meaning: Meaning;
  /** The `id` of the email. */
  send: string;
  /** The answer of the recipient's mail server. */
  reason: string;
  provider?: ProviderName;
};

export type SignedEvent = {
  isSignedWith: (key: string) => boolean;
  /** Undefined if it is of a kind that is not stored, or not about one of our emails. */
  event: ProviderEvent | undefined;
};

/** What a provider takes from all organizations together. */
export type Pace = {
  perSecond: number;
  /** How many more within its day. */
  left: number;
  /** It takes nothing at present. */
  isPaused: boolean;
};

export type Provider = {
  /** How many emails one call of `post` takes. */
  most: number;
  /** Posts each email at most once, in few requests, and asks `mayContinue` before each request. It never throws. */
  post: (access: Access, emails: OutgoingEmail[], mayContinue: () => Promise<boolean>) => Promise<Outcome[]>;
  /** Of a provider that names its pace; others say when they have had too much. */
  pace?: () => Promise<Pace>;
};

export type Providers = Record<ProviderName, Pick<Provider, 'post' | 'pace'>>;

/** A provider whose lists have keys. */
export type KeyedProvider = Provider & {
  /** Checks the key without sending anything. */
  probe: (access: Access) => Promise<Verdict>;
  /** Undefined if it is no event with a signature of the last minutes. */
  readEvent: (body: unknown, now: Date) => SignedEvent | undefined;
};

/** A domain as the provider knows it, with the records that its DNS needs. */
export type ProviderDomain = {
  isVerified: boolean;
  /** It looks for the records no more. */
  hasFailed: boolean;
  records: { name: string; value: string }[];
};

/** Of a provider with one account for all organizations, which sends from verified domains. Each call may be repeated. */
export type Domains = {
  /** Creates the domain unless it is there. `foreign`: it is there for something else. */
  ensure: (domain: string) => Promise<ProviderDomain | 'foreign' | 'refused'>;
  /** A domain that is there for something else stays. */
  remove: (domain: string) => Promise<void>;
  /** Lets an organization send from the domain, separated from the others. */
  admit: (organization: number, domain: string) => Promise<void>;
  dismiss: (organization: number, domain: string) => Promise<void>;
  removeOrganization: (organization: number) => Promise<void>;
};
