const collator = new Intl.Collator(undefined, { numeric: true });

/** The order of names in the whole product: List 7 comes before List 10. */
export const compareNames = (a: string, b: string) => collator.compare(a, b);

export const byName = (a: { id: string; name: string }, b: { id: string; name: string }) =>
  compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);

const COPY = ' (copy)';

export const nameOfCopy = (name: string, longest: number) =>
  `${name.slice(0, longest - COPY.length).trim()}${COPY}`;
