import { withSafeguards } from '#core/sending/forecast/dry-run.ts';
import { MOST_FOR_UPCOMING } from '#core/sending/forecast/forecast.ts';
import { isSent, type Needs, predict, readState } from '#core/sending/forecast/predict.ts';
import { countSkipped } from '#core/sending/log/log.ts';
import type { LimitEstimate } from '#shared/dry-run.ts';
import { amountOf } from '#shared/report/figures.ts';
import type { EarnedBy, Gain, SafeguardsReport } from '#shared/reporting.ts';
import { type SafeguardsChange, WINDOWS } from '#shared/safeguards.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { probably } from './allocation-model.ts';
import { EARNING_DAYS, earningDays, expected, readEarnings } from './earnings.ts';

/** What each limit held back, and what that would have led to if these emails had done as those that were sent. */
export async function safeguardsReport(needs: Needs, organization: number): Promise<SafeguardsReport> {
  const { from, to } = earningDays(needs.now);
  const [skipped, earnings] = await Promise.all([
    countSkipped(needs, organization, { from, to }),
    readEarnings(needs, organization),
  ]);
  return {
    start_date: from,
    end_date: to,
    counted_since: skipped.counted_since,
    earned_by: earnings.by,
    limits: WINDOWS.map(({ field }) => {
      const held = skipped.automations.flatMap(({ automation_id, reasons }) => {
        const count = reasons.find(({ reason }) => reason === `capped:${field}`)?.count;
        return count ? [[automation_id, count] as [string, number]] : [];
      });
      const [earned, complained] = (['earned', 'complained'] as const).map(of =>
        expected(held, earnings, of),
      );
      return {
        limit: field,
        emails: held.reduce((sum, [, count]) => sum + count, 0),
        unknown: earned?.unknown ?? 0,
        earned: shownGain(earnings.by, earned),
        complained: shownGain('clicks', complained),
      };
    }),
  };
}

function shownGain(by: EarnedBy, sum: Parameters<typeof probably>[0] | undefined): Gain | null {
  const gain = sum && probably(sum);
  if (!gain) return null;
  const shown = (number: number) =>
    by === 'value' ? amountOf(Math.round(number)) : Number(number.toPrecision(3));
  return { estimate: shown(gain.estimate), from: shown(gain.from), to: shown(gain.to) };
}

/** Of a normal distribution, 95% are within so many standard deviations. */
const WITHIN_MARGIN = 1.96;

/** The next 30 days with another limit, compared with the present ones. The slider asks often, so that the reads are bounded. */
export async function estimateLimit(
  needs: Needs,
  organization: number,
  to: SafeguardsChange,
): Promise<LimitEstimate> {
  const [before, earnings] = await Promise.all([
    readState(needs.table, organization),
    readEarnings(needs, organization),
  ]);
  const from = startOfMinute(needs.now.getTime());
  const interval = { from: new Date(from), until: new Date(from + EARNING_DAYS * DAY) };
  const more = new Map<string, number>();
  let [people_more, people_fewer] = [0, 0];
  const question = { states: [before, withSafeguards(to)(before)], interval };
  const { scaled, ...looked } = await predict(
    { ...MOST_FOR_UPCOMING, ...needs },
    question,
    ([had = [], has = []]) => {
      let difference = 0;
      for (const [emails, by] of [[had, -1] as const, [has, 1] as const])
        for (const { automation } of emails.filter(isSent)) {
          more.set(automation, (more.get(automation) ?? 0) + by);
          difference += by;
        }
      if (difference > 0) people_more++;
      if (difference < 0) people_fewer++;
      return difference;
    },
  );
  const counts = [...more].map(([automation, count]) => [automation, scaled(count)] as [string, number]);
  const emails = counts.reduce((sum, [, count]) => sum + count, 0);
  const { total, variance } = expected(counts, earnings, 'earned');
  // How many emails they are is an estimate too.
  const share = looked.sampled && emails !== 0 ? looked.sampled.margin / WITHIN_MARGIN / emails : 0;
  return {
    emails,
    people_more: scaled(people_more),
    people_fewer: scaled(people_fewer),
    earned_by: earnings.by,
    earned: shownGain(earnings.by, { total, variance: variance + (share * total) ** 2 }),
    ...looked,
  };
}
