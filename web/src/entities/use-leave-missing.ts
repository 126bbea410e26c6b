import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import type { SWRResponse } from 'swr';
import type { Answer } from '../../../shared/routes.ts';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { uncheckedCall } from '../lib/data.ts';
import { isMissing } from '../lib/problem.ts';

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

type Subject<K extends GetRoute> = Pick<Missing, 'noun' | 'missing' | 'failed' | 'back'> & {
  route: K;
  input: CallInput<K>;
  response: Pick<SWRResponse<Answer<K>>, 'data' | 'error'> & {
    mutate: (data: undefined, options: { revalidate: boolean }) => unknown;
  };
};

/**
 * Leaves the page for `to`, with a toast, if what its path names does not exist; with `back`, says so in its place. If it
 * belongs to another organization of the user, switches to that one instead. What could not be loaded can be tried again.
 */
export function useLeaveMissing<K extends GetRoute>(to: string, subject: Subject<K>) {
  const { route, input, response, noun, missing, failed, back } = subject;
  const { data, error, mutate } = response;
  const report = useContext(MissingContext);
  const isMissed = isMissing(error) || (error !== undefined && data === undefined);

  const leave = useEffectEvent(() => {
    report({
      to,
      back,
      noun,
      missing,
      failed,
      problem: error,
      wasLoaded: data !== undefined,
      call: (organization, signal) =>
        uncheckedCall(route, { ...input, organization, signal, isRefusalExpected: true }),
    });
    // A cached error would be shown again when the page is opened the next time.
    void mutate(undefined, { revalidate: false });
  });
  useEffect(() => {
    if (isMissed) leave();
  }, [isMissed]);
}
