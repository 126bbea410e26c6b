const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.-]+/g;

/** The addresses and the secrets in a log, where none may be. */
export const exposed = (written: string, secrets: Iterable<string>): string[] => [
  ...(written.match(ADDRESS) ?? []),
  ...[...secrets].filter(secret => written.includes(secret)),
];
