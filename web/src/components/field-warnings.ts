import { createContext } from 'react';

/** Warnings about values that may be mistakes, by the name of the field. They do not prevent saving. */
export const FieldWarnings = createContext<Readonly<Record<string, readonly string[]>>>({});
