/** The fields of a change that are given: one that is undefined stays as it is. */
export const definedFields = <T extends object>(change: T): Partial<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;
