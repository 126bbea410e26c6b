import { createContext } from 'react';

/** What the path of a page names, when it could not be loaded in the active organization. */
export type Missing = {
  /** Where to go if it is in no other organization either. */
  to: string;
  /** The page says that it is missing, with a link to `to` that is called so, instead of leaving for it. */
  back?: string | undefined;
  /** What it is, in the sentence "Switched to …, which this list belongs to." */
  noun: string;
  /** The messages where it does not exist, and where that is unknown. */
  missing: string;
  failed: string;
  problem: unknown;
  /** It was loaded before, so it was deleted and is not looked for. */
  wasLoaded: boolean;
  /** The same call within another organization. */
  call: (organization: number, signal: AbortSignal) => Promise<unknown>;
};

export const MissingContext = createContext<(missing: Missing) => void>(() => undefined);
