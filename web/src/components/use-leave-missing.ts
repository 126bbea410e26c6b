import { useContext, useEffect, useEffectEvent } from 'react';
import type { SWRResponse } from 'swr';
import type { Answer } from '../../../shared/routes.ts';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { uncheckedCall } from '../lib/data.ts';
import { type Missing, MissingContext } from '../lib/missing.ts';
import { isMissing } from '../lib/problem.ts';

type Subject<K extends GetRoute> = Pick<Missing, 'noun' | 'missing' | 'failed' | 'back'> & {
  route: K;
  input: CallInput<K>;
  response: SWRResponse<Answer<K>>;
};

/**
 * Leaves the page for `to`, with a toast, if what its path names does not exist or could not be loaded; with `back`, says so
 * in its place. If it belongs to another organization of the user, switches to that one instead.
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
