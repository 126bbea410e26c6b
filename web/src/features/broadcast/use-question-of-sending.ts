import type { Broadcast, BroadcastForecast, NewBroadcast } from '#shared/broadcast.ts';
import { whenText } from '#web/entities/broadcast/broadcast.tsx';
import { Cancelled, confirmed } from '#web/lib/confirmation.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { Problem } from '#web/lib/problem.ts';
import { questionOf } from './reach-texts.ts';

/** The request says itself what is wrong with it. */
const isRefusal = (problem: unknown) => problem instanceof Problem && problem.isRefusal;

/** Has the user confirm by the number of people that a broadcast is sent. Throws `Cancelled` if they do not. */
export function useQuestionOfSending() {
  const call = useOrganizationCall();
  return async (broadcast: Broadcast, edited?: NewBroadcast) => {
    let forecast: BroadcastForecast | undefined;
    try {
      forecast = edited
        ? await call('POST /api/broadcasts/forecast', { body: edited })
        : await call('GET /api/broadcasts/{broadcast}/forecast', { params: { broadcast: broadcast.id } });
    } catch (problem) {
      if (isRefusal(problem)) throw problem;
    }
    const { at, local_at } = edited ?? broadcast;
    const isNow = (!at && !local_at) || broadcast.status === 'stopped';
    const when = isNow
      ? 'Sending begins within a minute.'
      : `When: ${whenText({ ...broadcast, at, local_at })}.`;
    if ((await confirmed({ title: 'Send this broadcast?', ...questionOf(forecast, when) })) === false) {
      throw new Cancelled();
    }
  };
}
