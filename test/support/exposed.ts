const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.-]+/g;

/** What a log must not hold: the addresses and the secrets in it, each with what stands around it. */
export const exposed = (written: string, secrets: Iterable<string>): string[] => [
  ...(written.match(ADDRESS) ?? []),
  ...[...secrets].filter(secret => written.includes(secret)),
];
