const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.-]+/g;

export const exposed = (written: string, secrets: Iterable<string>): string[] => [
  ...(written.match(ADDRESS) ?? []),
  ...[...secrets].filter(secret => written.includes(secret)),
];
