import { resolve } from 'node:path';

/** Where Node keeps what it has compiled: it halves the time that each process of the stack takes to load its modules. */
export const COMPILED = resolve(import.meta.dirname, '../node_modules/.cache/compiled');
