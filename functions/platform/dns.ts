import { Resolver } from 'node:dns/promises';

/** How long a lookup takes at most, whatever the servers do. */
const MOST_MS = 3_000;
const TRY = { timeout: 1_000, tries: 2 };
/** Far more than a name has for a purpose of ours. What exceeds that counts as no answer: a part of it would be another one. */
const MOST_ANSWERS = 80;
const LONGEST_ANSWER = 1_000;

/** There is no such name, or it has no such record. The last one: no name can be written so. */
const NOTHING = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** Other servers than those of the system. */
const servers = () => process.env.DNS_SERVERS?.split(',').filter(Boolean) ?? [];

/** Answers nothing if there is no such record, and undefined if no server gave an answer. */
async function look(
  ask: (resolver: Resolver) => Promise<string[]>,
  mostMs = MOST_MS,
): Promise<string[] | undefined> {
  const resolver = new Resolver(TRY);
  const others = servers();
  if (others.length > 0) resolver.setServers(others);
  const timer = setTimeout(() => resolver.cancel(), mostMs);
  try {
    const answers = await ask(resolver);
    const isTooLarge = answers.length > MOST_ANSWERS || answers.some(({ length }) => length > LONGEST_ANSWER);
    return isTooLarge ? undefined : answers;
  } catch (error) {
    return NOTHING.includes(String((error as { code?: string }).code)) ? [] : undefined;
  } finally {
    clearTimeout(timer);
  }
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '');

export const dns = {
  /** A text may stand in several parts, each of up to 255 characters. */
  txt: (name: string) =>
    look(async resolver => (await resolver.resolveTxt(name)).map(parts => parts.join(''))),
  cname: (name: string) => look(async resolver => (await resolver.resolveCname(name)).map(plain)),
  /** The mail servers of a domain, the preferred ones first. */
  mx: (name: string, mostMs?: number) =>
    look(
      async resolver =>
        (await resolver.resolveMx(name))
          .toSorted((a, b) => a.priority - b.priority)
          .map(({ exchange }) => plain(exchange)),
      mostMs,
    ),
};
