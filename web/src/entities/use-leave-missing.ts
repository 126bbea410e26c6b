import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import type { SWRResponse } from 'swr';
import type { Answer } from '#shared/routes.ts';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { callWithConfirmation } from '../lib/data.ts';
import { isMissing } from '../lib/problem.ts';

/** The item in the path of a page that could not be loaded in the active organization. */
export type Missing = {
  /** Where to go if no other organization has it either. */
  to: string;
  /** The label of a link to `to`. With it, the page stays and says that the item is missing. */
  back?: string | undefined;
  noun: string;
  /** The messages if it does not exist, and if that is unknown. */
  missing: string;
  failed: string;
  problem: unknown;
  /** It was loaded before, so it was deleted, and is not searched in other organizations. */
  wasLoaded: boolean;
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

/** Switches to the organization that has a missing item; else leaves to `to` or, with `back`, says so on the page. */
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
        callWithConfirmation(route, { ...input, organization, signal, isRefusalExpected: true }),
    });
    // Clears the cached error, which would be shown the next time the page is opened.
    void mutate(undefined, { revalidate: false });
  });
  useEffect(() => {
    if (isMissed) leave();
  }, [isMissed]);
}
