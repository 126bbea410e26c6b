import { createContext } from 'react';

/** What may not be meant in a form, by the names of its fields: it keeps nobody from saving. */
export const FieldWarnings = createContext<Readonly<Record<string, readonly string[]>>>({});
