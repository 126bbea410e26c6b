import type { Message } from './message.ts';

export type Inbox = {
  /** The emails, newest first: only those to `to`, and at most `limit`, if these are given. */
  messages: (to?: string, limit?: number) => Promise<Message[]>;
  clear: () => Promise<void>;
};

type Accepted = { messages: (to: string | undefined, limit: number) => Message[]; clear: () => void };

/** The emails that the providers have accepted. */
export function createInbox(providers: Accepted[]): Inbox {
  return {
    async messages(to, limit = Number.POSITIVE_INFINITY) {
      const wanted = to?.trim().toLowerCase() || undefined;
      return providers
        .flatMap(provider => provider.messages(wanted, limit))
        .sort((a, b) => b.at.localeCompare(a.at))
        .slice(0, limit);
    },
    async clear() {
      for (const provider of providers) provider.clear();
    },
  };
}
