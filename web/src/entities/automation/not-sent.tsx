import type { SkippedEmails } from '#shared/send.ts';
import { SKIPPED, type Skipped } from '#shared/send-status.ts';
import { TextLink } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatMoment, formatNumber, lowered, plural } from '#web/lib/format.ts';
import { lastDays } from '#web/lib/last-days.ts';
import { logPath, paths } from '#web/lib/paths.ts';

const DAYS = 7;

export type NotSent = SkippedEmails['automations'][number] & {
  from: string;
  /** "in the last 7 days"; nothing for a broadcast, whose emails all go in its time. */
  when: string;
};

/** What some automations did not send of late, or a broadcast since the day on which it began. */
export function useNotSent(automations: readonly string[], began?: string) {
  const from = began ?? lastDays(DAYS).start_date;
  const { data, error } = useOrganizationData(
    automations.length > 0 ? 'GET /api/email-sends/skipped' : undefined,
    { query: { automations: automations.join(), from } },
  );
  const since = data?.counted_since;
  const when = since ? ` since ${formatMoment(since)}` : began ? '' : ` in the last ${DAYS} days`;
  const notSentOf = (automation: string): NotSent | undefined => {
    const found = data?.automations.find(({ automation_id }) => automation_id === automation);
    return found && { ...found, from, when };
  };
  return { isKnown: data !== undefined || error !== undefined, notSentOf };
}

/** Reasons by which nothing has to be mended. */
const USUAL: readonly Skipped[] = [
  'not_due',
  'not_subscribed',
  'suppressed',
  'superseded',
  'held_out',
  'organization_off',
  'automation_off',
  'list_off',
];

/** "12 emails were not sent in the last 7 days, 10 of them for this reason: the address is suppressed." */
export function NotSentText({ count, reasons: [most, ...others], when }: NotSent) {
  if (!most) return null;
  const share = others.length > 0 ? `, ${formatNumber(most.count)} of them for this reason` : '';
  return (
    <>
      {plural(count, 'email')} {count === 1 ? 'was' : 'were'} not sent{when}
      {share}: {lowered(SKIPPED[most.reason])}.
      {most.reason.startsWith('capped:') && (
        <>
          {' '}
          The limits are in the <TextLink to={paths.safeguards()}>safeguards</TextLink>.
        </>
      )}
    </>
  );
}

export const NotSentLink = ({ automation_id: automation, from }: NotSent) => (
  <TextLink to={logPath({ automation, status: 'skipped', from })}>Show in the log</TextLink>
);

export const NotSentNotice = ({ notSent }: { notSent: NotSent }) => (
  <Notice
    tone={notSent.reasons.every(({ reason }) => USUAL.includes(reason)) ? 'info' : 'warning'}
    mb="6"
    action={<NotSentLink {...notSent} />}
  >
    <span>
      <NotSentText {...notSent} />
    </span>
  </Notice>
);
