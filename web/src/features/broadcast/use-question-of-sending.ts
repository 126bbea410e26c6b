import type { Broadcast, BroadcastForecast, NewBroadcast } from '#shared/broadcast.ts';
import { NOT_SENT, type NotSent } from '#shared/send-status.ts';
import { whenText } from '#web/entities/broadcast/broadcast.tsx';
import { askToConfirm } from '#web/lib/confirmation.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { lowered, peopleText } from '#web/lib/format.ts';
import { Problem } from '#web/lib/problem.ts';
import { accuracyOf } from '#web/lib/sampled.ts';

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
    await askToConfirm({ title: 'Send this broadcast?', ...questionOf(forecast, when) });
  };
}

/** What the question says before a broadcast is scheduled, and the button that confirms it. */
export function questionOf(forecast: BroadcastForecast | undefined, when: string) {
  if (!forecast) {
    return {
      sentences: [`How many people get it could not be found out. ${when}`],
      confirm: 'Send all the same',
    };
  }
  const out = leftOutTexts(forecast);
  return {
    sentences: [
      `${getText(forecast)} ${when}`,
      ...(out.length > 0 ? [`Left out: ${out.join('; ')}.`] : []),
      ...accuracyOf(forecast),
    ],
    confirm:
      forecast.emails === 0
        ? 'Send all the same'
        : `Send to ${forecast.sampled ? 'about ' : ''}${peopleText(forecast.emails)}`,
  };
}

/** "About 497 people get it." */
export const getText = ({
  emails,
  sampled,
  days,
}: Pick<BroadcastForecast, 'emails' | 'sampled' | 'days'>): string =>
  emails === 0
    ? 'Nobody gets it.'
    : `${sampled ? 'About ' : ''}${peopleText(emails)} ${emails === 1 ? 'gets' : 'get'} it${days > 1 ? `, on ${days} days, as a list is in warm-up` : ''}.`;

/** Who does not get it, and why. */
export const leftOutTexts = ({ no_match, not_sent, not_subscribed }: BroadcastForecast): string[] =>
  [
    no_match > 0 && `${peopleText(no_match)} ${no_match === 1 ? 'does' : 'do'} not match its conditions`,
    not_subscribed > 0 && `${peopleText(not_subscribed)} unsubscribed, bounced or complained`,
    ...Object.entries(not_sent).map(
      ([reason, count]) => `${peopleText(count)}: ${lowered(NOT_SENT[reason as NotSent])}`,
    ),
  ].filter(text => text !== false);
