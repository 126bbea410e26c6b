import type { Mailbox } from '#shared/mailbox.ts';

export type MailboxOf = (email: string) => Promise<Mailbox>;

/** By the domain of an address, which most people have at one of these, or else by the name of its preferred mail server. */
const NAMES: [Mailbox, RegExp][] = [
  ['gmail', /^gmail\.com$|(^|\.)(google|googlemail)\.com$/],
  [
    'outlook',
    /^(outlook|hotmail)\.(com?\.)?[a-z]{2}$|^(hotmail|live|msn)\.com$|(^|\.)(outlook\.com|mx\.microsoft)$/,
  ],
  // Yahoo Japan is another company, with mail servers of its own.
  ['yahoo', /^yahoo\.(?!co\.jp)(com|(com?\.)?[a-z]{2})$|^(ymail|rocketmail|aol)\.com$|\.yahoodns\.net$/],
  ['apple', /^(icloud|me|mac)\.com$|\.(icloud|apple)\.com$/],
];
const mailboxAt = (name: string) => NAMES.find(([, names]) => names.test(name))?.[0];

/** How long a look-up takes, and how long after the first one of a pack the last one begins, at most. */
export const LOOK_UP_MS = 500;
const MOST_LOOK_UPS = 500;
const MOST_KEPT = 20_000;

/**
 * What is found is kept in this process. `mx` answers undefined if no server answers in time: then the pack asks for no other
 * domain, so that name servers delay it by a second at most.
 */
export function mailboxes(mx: (domain: string) => Promise<string[] | undefined>) {
  const known = new Map<string, Promise<Mailbox | undefined>>();
  const lookUp = async (domain: string) => {
    const servers = await mx(domain);
    return servers && (mailboxAt(servers[0] ?? '') ?? 'other');
  };
  /** For one pack. */
  return (now: () => Date): MailboxOf => {
    let left = MOST_LOOK_UPS;
    let end = Number.POSITIVE_INFINITY;
    return async email => {
      const domain = email.slice(email.lastIndexOf('@') + 1);
      const large = mailboxAt(domain);
      if (large) return large;
      if (!known.has(domain)) {
        end = Math.min(end, now().getTime() + LOOK_UP_MS);
        if (left === 0 || now().getTime() > end) return 'other';
        left -= 1;
        if (known.size >= MOST_KEPT) known.clear();
        known.set(domain, lookUp(domain));
      }
      const found = await known.get(domain);
      if (found) return found;
      known.delete(domain);
      left = 0;
      return 'other';
    };
  };
}
