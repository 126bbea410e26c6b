import type { Difference, Effect } from '#shared/dry-run.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import type { RouteKey } from '#shared/routes.ts';
import { api } from './api.ts';
import type { AskedRoute } from './asked-routes.ts';
import { formatMoment, formatNumber, plural } from './format.ts';
import { Problem } from './problem.ts';
import { ask, Declined } from './questions.ts';
import { sampledText } from './sampled.ts';
import { toast } from './toasts.ts';

type Input = { params?: Record<string, string>; body?: Record<string, unknown>; organization?: number };
type DryRun = Extract<RouteKey, `${string}/dry-run`>;
type Asking = (input: Input) => { route: DryRun; input: Input } | undefined;

const same =
  (route: DryRun): Asking =>
  input => ({ route, input });

const links = ({ organization }: Input, body: Record<string, unknown>) => ({
  route: 'POST /api/content-links/dry-run' as const,
  input: { ...(organization !== undefined && { organization }), body },
});
const ofNew =
  (kindsIn: (body: Record<string, unknown>) => { kind: unknown } | { kinds: unknown[] }): Asking =>
  input => {
    const { is_active, automation_ids } = input.body ?? {};
    return links(input, { ...kindsIn(input.body ?? {}), is_active, automation_ids });
  };
const written = (body: Record<string, unknown>) => PART_NAMES.filter(part => body[part]);
const ofExisting: Asking = input => {
  const { is_active, automation_ids } = input.body ?? {};
  const [id] = Object.values(input.params ?? {});
  return is_active === undefined && automation_ids === undefined
    ? undefined
    : links(input, { id, is_active, automation_ids });
};

const DRY_RUNS: Record<AskedRoute, Asking> = {
  'POST /api/automations': same('POST /api/automations/dry-run'),
  'PUT /api/automations/{automation}': same('PUT /api/automations/{automation}/dry-run'),
  'PUT /api/automations/{automation}/content': same('PUT /api/automations/{automation}/content/dry-run'),
  'PUT /api/safeguards': same('PUT /api/safeguards/dry-run'),
  'PUT /api/sending-hours': same('PUT /api/sending-hours/dry-run'),
  'PUT /api/email-lists/{list}': same('PUT /api/email-lists/{list}/dry-run'),
  'PUT /api/email-lists/{list}/mailgun-key': same('PUT /api/email-lists/{list}/mailgun-key/dry-run'),
  'POST /api/email-templates': ofNew(() => ({ kind: 'template' })),
  'POST /api/email-assets': ofNew(({ type: kind }) => ({ kind })),
  'POST /api/email-asset-sets': ofNew(body => ({ kinds: written(body) })),
  'PUT /api/email-templates/{emailTemplate}': ofExisting,
  'PUT /api/email-templates/{emailTemplate}/automations': ofExisting,
  'PUT /api/email-assets/{emailAsset}': ofExisting,
};

/**
 * Finds out by a dry run what a change would send, and asks if it starts sending. Returns a function that shows a message
 * after the change.
 */
export async function confirmed(route: AskedRoute, input: Input): Promise<() => void> {
  const asking = DRY_RUNS[route](input);
  if (!asking) return () => {};
  let effect: Effect;
  try {
    effect = await (api as (of: DryRun, with_: object) => Promise<Effect>)(asking.route, asking.input);
  } catch (problem) {
    if (isSaidByCall(problem)) return () => {};
    await agreed(['What this would send could not be found out.'], 'Save all the same');
    return () => {};
  }
  if (begins(effect)) await agreed(sentencesOf(effect, Date.now()), 'Save and send');
  else if (effect.next_7_days.people_fewer > 0)
    return () => toast(fewerText(effect.next_7_days, 'in the next 7 days'));
  return () => {};
}

/** If the input is invalid, refused or missing, the request itself will report that. */
const isSaidByCall = (problem: unknown) =>
  problem instanceof Problem && [401, 403, 404, 409, 413, 422].includes(problem.status ?? 0);

async function agreed(sentences: string[], confirm: string): Promise<void> {
  if (!(await ask({ title: 'Send emails?', sentences, confirm }))) throw new Declined();
}

const begins = ({ next_24_hours: day, next_7_days: week }: Effect) =>
  day.people_more > 0 || week.people_more > 0;

const people = (count: number) => (count === 1 ? '1 person' : `${formatNumber(count)} people`);
const fewerText = ({ people_fewer: count }: Difference, when: string) =>
  `${people(count)} ${count === 1 ? 'gets' : 'get'} fewer emails ${when}.`;

/** "61 people get an email within 24 hours that they would not have got, the first within a minute." */
function sentencesOf(effect: Effect, now: number): string[] {
  const { next_24_hours: day, next_7_days: week, first_at, sampled, counted_share } = effect;
  const first = first_at === null ? '' : `, the first ${momentText(first_at, now)}`;
  const get = (count: number) => (count === 1 ? 'gets' : 'get');
  const today =
    day.people_more > 0
      ? `${people(day.people_more)} ${get(day.people_more)} an email within 24 hours who would not have${first}.`
      : 'Nobody gets more emails within 24 hours.';
  return [
    today,
    week.people_more > 0 &&
      `In the next 7 days, ${people(week.people_more)} ${get(week.people_more)} ${plural(week.emails, 'more email')}${day.people_more > 0 ? '' : first}.`,
    week.people_fewer > 0 && fewerText(week, 'in this time'),
    sampled !== null && sampledText(sampled, 'it'),
    counted_share < 1 && 'There are too many members to look at all of them at once: it will be more.',
  ].filter(text => text !== false);
}

const MINUTE = 60_000;

function momentText(instant: string, now: number): string {
  const minutes = Math.ceil((Date.parse(instant) + MINUTE - now) / MINUTE);
  if (minutes <= 1) return 'within a minute';
  return minutes < 60 ? `within ${minutes} minutes` : `on ${formatMoment(instant)}`;
}
