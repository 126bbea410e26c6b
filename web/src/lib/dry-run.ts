import type { Difference, DryRun } from '#shared/dry-run.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import type { RouteKey } from '#shared/routes.ts';
import { api } from './api.ts';
import { askToConfirm, type RouteWithDryRun } from './confirmation.ts';
import { formatMoment, peopleText, plural } from './format.ts';
import { Problem } from './problem.ts';
import { sampledText } from './sampled.ts';
import { toast } from './toasts.ts';

type Input = { params?: Record<string, string>; body?: Record<string, unknown>; organization?: number };
type DryRunRoute = Extract<RouteKey, `${string}/dry-run`>;
/** The dry run of a call with this input; undefined if it does not change what is sent. */
type DryRunOf = (input: Input) => { route: DryRunRoute; input: Input } | undefined;

const same =
  (route: DryRunRoute): DryRunOf =>
  input => ({ route, input });

const links = ({ organization }: Input, body: Record<string, unknown>) => ({
  route: 'POST /api/content-links/dry-run' as const,
  input: { ...(organization !== undefined && { organization }), body },
});
const ofNew =
  (kindsIn: (body: Record<string, unknown>) => { kind: unknown } | { kinds: unknown[] }): DryRunOf =>
  input => {
    const { is_active, automation_ids } = input.body ?? {};
    return links(input, { ...kindsIn(input.body ?? {}), is_active, automation_ids });
  };
const written = (body: Record<string, unknown>) => PART_NAMES.filter(part => body[part]);
const ofExisting: DryRunOf = input => {
  const { is_active, automation_ids } = input.body ?? {};
  const [id] = Object.values(input.params ?? {});
  return is_active === undefined && automation_ids === undefined
    ? undefined
    : links(input, { id, is_active, automation_ids });
};

const DRY_RUNS: Record<RouteWithDryRun, DryRunOf> = {
  'POST /api/automations': same('POST /api/automations/dry-run'),
  'PUT /api/automations/{automation}': same('PUT /api/automations/{automation}/dry-run'),
  'PUT /api/automations/{automation}/content': same('PUT /api/automations/{automation}/content/dry-run'),
  'PUT /api/sequences/{sequence}': same('PUT /api/sequences/{sequence}/dry-run'),
  'PUT /api/safeguards': same('PUT /api/safeguards/dry-run'),
  'PUT /api/sending-hours': same('PUT /api/sending-hours/dry-run'),
  'PUT /api/holdout': same('PUT /api/holdout/dry-run'),
  // Whoever stops all sending does not wait for numbers.
  'PUT /api/organizations/{organization}': input =>
    input.body?.active ? same('PUT /api/organizations/{organization}/dry-run')(input) : undefined,
  'PUT /api/email-lists/{list}': same('PUT /api/email-lists/{list}/dry-run'),
  'PUT /api/email-lists/{list}/mailgun-key': same('PUT /api/email-lists/{list}/mailgun-key/dry-run'),
  'POST /api/email-templates': ofNew(() => ({ kind: 'template' })),
  'POST /api/email-assets': ofNew(({ type: kind }) => ({ kind })),
  'POST /api/email-asset-sets': ofNew(body => ({ kinds: written(body) })),
  'PUT /api/email-templates/{emailTemplate}': ofExisting,
  'PUT /api/email-templates/{emailTemplate}/automations': ofExisting,
  'PUT /api/email-assets/{emailAsset}': ofExisting,
};

/** What shows a message after a call, and what its input becomes by the answer. */
type Confirmed = { say: () => void; more?: Input };
const AS_IT_IS: Confirmed = { say: () => {} };

/** Has the user confirm a call that starts sending, else throws `Cancelled`. */
export async function confirmByDryRun(route: RouteWithDryRun, input: Input): Promise<Confirmed> {
  const call = DRY_RUNS[route](input);
  if (!call) return AS_IT_IS;
  let dryRun: DryRun;
  try {
    dryRun = await (api as (route: DryRunRoute, input: object) => Promise<DryRun>)(call.route, call.input);
  } catch (problem) {
    if (isSaidByCall(problem)) return AS_IT_IS;
    await confirm(['What this would send could not be found out.'], 'Save all the same');
    return AS_IT_IS;
  }
  const { existing, next_7_days: week } = dryRun;
  if (begins(dryRun) || existing > 0) {
    const label = labelOf(route, input.body, dryRun);
    const isIncluded = await confirm(sentencesOf(dryRun, Date.now()), label, choicesOf(dryRun));
    return isIncluded ? { ...AS_IT_IS, more: { body: { ...input.body, include_existing: true } } } : AS_IT_IS;
  }
  return week.people_fewer > 0 ? { say: () => toast(fewerText(week, 'in the next 7 days')) } : AS_IT_IS;
}

/** What the button that confirms does: a switch is not saved. */
function labelOf(route: RouteWithDryRun, body: Input['body'] = {}, dryRun: DryRun): string {
  const isOrganization = route === 'PUT /api/organizations/{organization}';
  const isSwitch = body.active === true && Object.keys(body).length === 1;
  const verb = isOrganization ? 'Resume' : isSwitch ? 'Activate' : 'Save';
  if (!begins(dryRun)) return verb;
  return `${verb} and send${isOrganization ? ` ${plural(dryRun.next_7_days.emails, 'email')}` : ''}`;
}

const choicesOf = ({ existing, sampled }: DryRun): string[] | undefined =>
  existing > 0
    ? [
        'Only those whose email becomes due from now on',
        `Also ${sampled ? 'about ' : ''}${peopleText(existing)} whose first email would have been due already`,
      ]
    : undefined;

/** If the input is invalid, refused or missing, the request itself will report that. */
const isSaidByCall = (problem: unknown) =>
  problem instanceof Problem && [401, 403, 404, 409, 413, 422].includes(problem.status ?? 0);

/** Answers whether the second choice was made. */
async function confirm(sentences: string[], label: string, choices?: string[]): Promise<boolean> {
  const chosen = await askToConfirm({
    title: 'Send emails?',
    sentences,
    confirm: label,
    ...(choices && { choices, confirmOther: label.endsWith('send') ? label : `${label} and send` }),
  });
  return chosen > 0;
}

const begins = ({ next_24_hours: day, next_7_days: week }: DryRun) =>
  day.people_more > 0 || week.people_more > 0;

const fewerText = ({ people_fewer: count }: Difference, when: string) =>
  `${peopleText(count)} ${count === 1 ? 'gets' : 'get'} fewer emails ${when}.`;

/** "61 people get an email within 24 hours that they would not have got, the first within a minute." */
function sentencesOf(dryRun: DryRun, now: number): string[] {
  const { next_24_hours: day, next_7_days: week, first_at, sampled, counted_share } = dryRun;
  const first = first_at === null ? '' : `, the first ${momentText(first_at, now)}`;
  const get = (count: number) => (count === 1 ? 'gets' : 'get');
  const today =
    day.people_more > 0
      ? `${peopleText(day.people_more)} ${get(day.people_more)} an email within 24 hours who would not have${first}.`
      : dryRun.existing > 0
        ? 'Of what becomes due from now on, nobody gets more emails within 24 hours.'
        : 'Nobody gets more emails within 24 hours.';
  return [
    today,
    week.people_more > 0 &&
      `In the next 7 days, ${peopleText(week.people_more)} ${get(week.people_more)} ${plural(week.emails, 'more email')}${day.people_more > 0 ? '' : first}.`,
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
