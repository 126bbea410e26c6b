import type { Message } from './message.ts';

export type Inbox = ReturnType<typeof createInbox>;
type Accepted = { messages: (to: string | undefined, limit: number) => Message[]; clear: () => void };

export function createInbox(providers: Accepted[]) {
  return {
    /** Newest first: only those to `to`, and at most `limit`, if these are given. */
    async messages(to?: string, limit = Number.POSITIVE_INFINITY) {
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
